import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { ownKey } from '../../text/ownText';
import { markedId } from '../../text/sessionLabel';
import { duration, oneLine } from '../../text/text';
import type { ActivityDraft, PermissionFact } from '../../work/activity';
import type { ToolFact } from '../../work/tools/toolFacts';
import { maxActivityId } from '../../work/activity';
import { callText } from '../../work/tools/callText';
import { invalidParams } from '../../work/errorCodes';
import type { OpenRequest, RequestEnd, Requests } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { rpcError } from '../../work/rpcError';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { Answer } from '../jsonrpc/jsonRpcInterpreter';
import { errorExchange, withSubject } from '../jsonrpc/exchangeText';
import { describeCancelled, describeResult } from './exchange';
import { describeAsk, describeReply } from './serverAsks';
import { loggerOf } from './subject';
import { resultEnd, toolFacts } from './toolCalls';

/** What a message says about a task. */
export interface TaskChange {
  readonly texts: readonly ExchangeText[];
  readonly facts: readonly ActivityDraft<ToolFact | PermissionFact>[];
  /** The task's request, if this ended it. */
  readonly ended?: { readonly request: OpenRequest; readonly how: RequestEnd; readonly error?: RpcError | undefined };
}

/** A task. One that an earlier connection started has no request. */
interface Task {
  readonly id: string;
  /** Of its request: that of the requests about the task. */
  readonly direction: Direction;
  readonly request: OpenRequest | undefined;
  status: string;
  message: string | undefined;
  /** When its latest message was logged. */
  loggedAt: number;
  /** When it may be discarded, in milliseconds since the epoch. */
  expiresAt: number;
  /** Requests for input so far, by key. A key is never used again. */
  readonly asked: BoundedMap<string, Asked>;
  isCancelAsked?: boolean;
  endedAt?: number;
  /** Its result is known, or why it failed. */
  isDelivered?: boolean;
}

interface Asked {
  readonly key: string;
  /** The user has to answer, not the client. */
  readonly isUsers: boolean;
  isOpen: boolean;
}

/** A task as the answer to its request has it. */
export interface NewTask {
  readonly id: string;
  readonly fields: JsonObject;
}

type Direction = OpenRequest['direction'];

const maxTasks = 1000;
/** Requests for input, per task. */
const maxAsked = 50;
const maxLabel = 16;
const maxMessage = 200;
const maxStatus = 40;
/** Minimum time between two messages of a task in the log, in milliseconds. */
const minApart = 1000;
const unknownTask =
  /\btask\b[^\n]{0,300}\b(?:not found|unknown|expired|does(?:n't| not) exist)\b|\b(?:no such|unknown) task\b/i;
const nothing: TaskChange = { texts: [], facts: [] };

/**
 * Follows tasks: a request whose answer is a task goes on until the task ends (MCP 2025-11-25 "Tasks"; since 2026-07-28 the extension
 * `io.modelcontextprotocol/tasks`). Their states come in answers to `tasks/get`, and in notifications.
 */
export class Tasks {
  /** Tasks that haven't ended, by the direction of their request and their ID. */
  private readonly open = new BoundedMap<string, Task>(maxTasks);
  /** Tasks that have ended: their result may still follow. */
  private readonly over = new BoundedMap<string, Task>(maxTasks);

  constructor(private readonly requests: Requests) {}

  /** A request was answered with a task. */
  begin(request: OpenRequest, { id, fields }: NewTask, t: number): TaskChange {
    const task = newTask(request.direction, id, request);
    note(task, fields);
    this.over.delete(keyOf(request.direction, id));
    this.open.set(keyOf(request.direction, id), task);
    const message = withSubject(request, `runs as task ${taskLabel(id)} (${statusText(task)})`);
    const begun = { texts: [{ level: 'info', logger: loggerOf(request), message }], ...this.sign(task) } as const;
    return isFinal(task) ? joined(begun, this.end(task, fields, t)) : begun;
  }

  /** A message with the state of a task, which may be one of an earlier connection. */
  update(direction: Direction, fields: JsonObject, t: number): TaskChange {
    const id = taskIdOf(fields);
    if (id === undefined) return nothing;
    const task = this.get(direction, id) ?? newTask(direction, id, undefined);
    if (task.endedAt !== undefined) return deliver(task, fields['result']);
    const { status, message } = task;
    if (status === '') this.open.set(keyOf(direction, id), task);
    note(task, fields);
    if (isFinal(task)) return this.end(task, fields, t);
    const hasMoved = status !== task.status;
    const asks = readAsks(task, fields);
    const isNews = (hasMoved || message !== task.message) && asks.texts.length === 0;
    const texts = isNews ? progressOf(task, hasMoved, t) : [];
    return joined({ texts, ...this.sign(task) }, asks);
  }

  /** The client responds to requests for input. */
  responded(direction: Direction, params: JsonObject): TaskChange {
    const task = this.open.get(keyOf(direction, taskIdOf(params) ?? ''));
    const responses = objectOf(params['inputResponses']);
    const answered = task?.asked.values().filter(({ key, isOpen }) => isOpen && responses[key] !== undefined) ?? [];
    return {
      texts: [],
      facts: answered.flatMap((ask) => settle(task, ask, textOf(objectOf(responses[ask.key])['action']))),
    };
  }

  /** The client sent `tasks/cancel`: it won't respond any more. */
  cancelling(direction: Direction, id: string): TaskChange {
    const task = this.open.get(keyOf(direction, id));
    if (!task) return nothing;
    task.isCancelAsked = true;
    return { texts: [], facts: task.asked.values().flatMap((ask) => settle(task, ask, 'cancel')) };
  }

  /** `tasks/cancel` was answered. The client needn't ask for the task any more, so it is over unless the answer has its state. */
  cancelled(direction: Direction, id: string, result: JsonObject, t: number): TaskChange {
    const status = textOf(result['status']);
    if (status === undefined && !this.open.has(keyOf(direction, id))) return nothing;
    return this.update(direction, { ...result, taskId: id, status: status ?? 'cancelled' }, t);
  }

  /** `tasks/result` was answered (2025-11-25). */
  delivered(direction: Direction, id: string, { result, error }: Answer, t: number): TaskChange {
    const task = this.get(direction, id);
    if (!task?.request) return nothing;
    if (task.endedAt !== undefined) return deliver(task, result);
    if (error) return this.fail(task, error, t);
    task.status = 'completed';
    return this.end(task, { result: objectOf(result) }, t);
  }

  /** `tasks/get` failed. The task has ended if the other side doesn't know it. */
  lost(direction: Direction, id: string, error: RpcError, t: number): TaskChange {
    const task = this.open.get(keyOf(direction, id));
    if (!task?.request || (error.code !== invalidParams && !unknownTask.test(error.message))) return nothing;
    return this.fail(task, error, t, t > task.expiresAt ? 'its task expired' : 'its task is no longer known');
  }

  /** The request that became this task. */
  requestOf(direction: Direction, id: string): OpenRequest | undefined {
    return this.get(direction, id)?.request;
  }

  /** The request ended otherwise. */
  forget({ direction, id }: OpenRequest): void {
    const task = this.open.find(({ request }) => request?.id === id && request.direction === direction);
    if (task) this.open.delete(keyOf(direction, task.id));
  }

  clear(): void {
    this.open.clear();
    this.over.clear();
  }

  private get(direction: Direction, id: string): Task | undefined {
    const key = keyOf(direction, id);
    return this.open.get(key) ?? this.over.get(key);
  }

  /** A sign of life: the progress of the request, and the state of the tool call. */
  private sign({ id, request, status, message }: Task): Omit<TaskChange, 'texts'> {
    if (!request) return { facts: [] };
    const before = this.requests.get(request.direction, request.id)?.progress;
    const isNews = message !== undefined && message !== before?.message;
    if (isNews) this.requests.report(request.direction, request.id, { progress: 0, ...before, message });
    return { facts: toolFacts(request, { change: 'updated', task: { id, status, message } }) };
  }

  private end(task: Task, fields: JsonObject, t: number): TaskChange {
    const { request, status, message } = task;
    if (status === 'failed') {
      const error = rpcError(fields['error']);
      task.isDelivered = error !== undefined;
      return this.fail(task, error ?? { code: undefined, message: message ?? 'no reason given', data: undefined }, t);
    }
    const asked = this.close(task, t);
    if (!request) return { texts: [{ level: 'info', ...said(task, statusText(task)) }], facts: [] };
    const ms = t - request.startedAt;
    if (status === 'cancelled') {
      const text = describeCancelled(request, message, ms, task.isCancelAsked === true ? 'client' : 'server');
      return { texts: [text], facts: asked, ended: { request, how: 'cancelled' } };
    }
    const { result } = fields;
    task.isDelivered = isObject(result);
    const text: ExchangeText = isObject(result)
      ? describe(request, result, ms)
      : { level: 'info', ...said(task, `task completed after ${duration(ms)}`) };
    const facts = [...asked, ...toolFacts(request, resultEnd(objectOf(result)))];
    return { texts: [text], facts, ended: { request, how: 'answered' } };
  }

  /** @param why it counts as failed */
  private fail(task: Task, error: RpcError, t: number, why?: string): TaskChange {
    const asked = this.close(task, t);
    const { request } = task;
    if (!request) return { texts: [{ level: 'error', ...said(task, statusText(task)) }], facts: [] };
    const after = `failed after ${duration(t - request.startedAt)}${why === undefined ? '' : `, because ${why}`}`;
    const text = errorExchange('error', loggerOf(request), withSubject(request, after), error);
    const result = callText(error.message);
    const end = { change: 'ended', outcome: 'error', error: error.message, result } as const;
    const facts = [...asked, ...toolFacts(request, end)];
    return { texts: [text], facts, ended: { request, how: 'answered', error } };
  }

  /** The task has ended, and with it what it asked for. */
  private close(task: Task, t: number): ActivityDraft<PermissionFact>[] {
    const key = keyOf(task.direction, task.id);
    task.endedAt = t;
    this.open.delete(key);
    this.over.set(key, task);
    return task.asked.values().flatMap((ask) => settle(task, ask, undefined));
  }
}

/** The ID of the task that a message is about. */
export function taskIdOf(fields: JsonObject): string | undefined {
  const id = textOf(fields['taskId']);
  return id === undefined ? undefined : ownKey(id, maxActivityId);
}

/** The task that a result is, if it is one: since 2026-07-28 it is marked as such, whatever else the result has. */
export function taskIn(result: unknown): NewTask | undefined {
  const given = objectOf(result);
  const fields = given['resultType'] === 'task' ? given : objectOf(given['task']);
  const id = taskIdOf(fields);
  return id === undefined ? undefined : { id, fields };
}

/** The end of a long ID. Whoever has an ID may ask for the result. */
export function taskLabel(id: string): string {
  return id.length <= maxLabel ? oneLine(id, maxLabel) : markedId(id);
}

function newTask(direction: Direction, id: string, request: OpenRequest | undefined): Task {
  const asked = new BoundedMap<string, Asked>(maxAsked);
  return {
    id,
    direction,
    request,
    status: '',
    message: undefined,
    loggedAt: -Infinity,
    expiresAt: Infinity,
    asked,
  };
}

function note(task: Task, fields: JsonObject): void {
  const message = textOf(fields['statusMessage']);
  const ttl = numberOf(fields['ttlMs'] ?? fields['ttl']);
  task.status = oneLine(textOf(fields['status']) ?? 'no status', maxStatus);
  task.message = message === undefined ? undefined : oneLine(message, maxMessage);
  task.expiresAt = ttl === undefined || !task.request ? Infinity : task.request.startedAt + ttl;
}

function isFinal({ status }: Task): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function progressOf(task: Task, hasMoved: boolean, t: number): ExchangeText[] {
  if (!hasMoved && t - task.loggedAt < minApart) return [];
  task.loggedAt = t;
  return [{ level: 'debug', ...said(task, statusText(task)) }];
}

/** Requests for input, each once. Those that are gone were answered elsewhere. */
function readAsks(task: Task, fields: JsonObject): TaskChange {
  const requests = objectOf(fields['inputRequests']);
  const texts: ExchangeText[] = [];
  const gone = task.asked.values().filter(({ key }) => requests[key] === undefined);
  const facts = gone.flatMap((ask) => settle(task, ask, undefined));
  for (const [name, value] of Object.entries(requests).slice(0, maxAsked)) {
    const key = ownKey(name, maxActivityId);
    if (task.asked.has(key)) continue;
    const { method, params } = objectOf(value);
    const isUsers = method === 'elicitation/create' && task.request?.direction === 'out';
    task.asked.set(key, { key, isUsers, isOpen: true });
    const text = describeAsk(textOf(method) ?? '(no method)', params);
    if (text) texts.push(task.request ? { ...text, message: withSubject(task.request, text.message) } : text);
    if (isUsers) facts.push({ ...question(task, key), change: 'asked', title: textOf(objectOf(params)['message']) });
  }
  return { texts, facts };
}

const outcomes: ReadonlyMap<string, PermissionFact['outcome']> = new Map([
  ['accept', 'ok'],
  ['decline', 'refused'],
  ['cancel', 'cancelled'],
]);

/** @param action the user's; unknown if `undefined` */
function settle(task: Task | undefined, ask: Asked, action: string | undefined): ActivityDraft<PermissionFact>[] {
  const { isOpen } = ask;
  ask.isOpen = false;
  if (!task || !isOpen || !ask.isUsers) return [];
  const outcome = action === undefined ? 'cancelled' : outcomes.get(action);
  return [{ ...question(task, ask.key), change: 'settled', outcome, isLost: action === undefined }];
}

function question({ id, request }: Task, key: string): Omit<ActivityDraft<PermissionFact>, 'change'> {
  const toolId = request && String(request.id);
  return { type: 'permission', id: `${taskLabel(id)} ${key}`, asking: 'answer', toolId };
}

/** The result of a task that has ended, unless it is known. */
function deliver(task: Task, result: unknown): TaskChange {
  const { request, endedAt = 0 } = task;
  if (!request || task.isDelivered === true || !isObject(result)) return nothing;
  task.isDelivered = true;
  return {
    texts: [describe(request, result, endedAt - request.startedAt)],
    facts: toolFacts(request, resultEnd(result)),
  };
}

function describe(request: OpenRequest, result: JsonObject, ms: number): ExchangeText {
  return request.direction === 'out' ? describeResult(request, result, ms) : describeReply(request, result, ms);
}

function statusText({ status, message }: Task): string {
  return `${status}${message === undefined ? '' : `: ${message}`}`;
}

function said({ id, request }: Task, text: string): Pick<ExchangeText, 'logger' | 'message'> {
  if (!request) return { logger: 'task', message: `${taskLabel(id)} ${text}` };
  return { logger: loggerOf(request), message: withSubject(request, text) };
}

function joined(one: TaskChange, other: TaskChange): TaskChange {
  return { ...one, ...other, texts: [...one.texts, ...other.texts], facts: [...one.facts, ...other.facts] };
}

function keyOf(direction: Direction, id: string): string {
  return `${direction} ${id}`;
}
