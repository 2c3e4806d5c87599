import type { Level } from '../../text/level';
import { duration, oneLine } from '../../text/text';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ClosedFact, Fact } from '../../work/facts';
import type { ReaderContext } from '../interpreter';
import type { JsonObject, RequestId } from '../../text/json';
import { objectOf, requestIdOf, textOf } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { exchangeRecord, subjectOf, withSubject } from '../jsonrpc/exchangeText';
import type { Answer, RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';
import type { StrayResponse } from '../jsonrpc/message';
import type { WorkEnd } from '../../work/work';
import type { ClosedRequest, OpenRequest, RequestEnd } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { inEnglish } from '../../text/translator';
import { httpText } from '../lifecycle';
import {
  describeCall,
  describeCancelled,
  describeError,
  describeFailure,
  describeRefusal,
  describeResult,
  describeNotification,
} from './exchange';
import { Handshake } from './handshake';
import { mcpMethods } from './methods';
import { logForm, logRecord } from './logMessage';
import { ProgressReader } from './progress';
import { describeAsk, describeInputRequests, describeReply } from './serverAsks';
import { loggerOf, notedOf, progressTokenOf } from './subject';
import type { NewTask, TaskChange } from './tasks';
import { taskIdOf, taskIn, taskLabel, Tasks } from './tasks';
import { toolFactOf } from './toolCalls';

const lateAnswers: Readonly<Record<RequestEnd, string>> = {
  answered: 'answered once more',
  cancelled: 'answered after it was cancelled',
  withdrawn: 'answered after it was cancelled',
  failed: 'answered after it had failed',
};

/** Requests that are tool calls, polls of one, or questions. */
const otherSteps = new Set(['tools/call', 'tasks/get', 'tasks/result', 'elicitation/create']);

/**
 * Reads the Model Context Protocol (modelcontextprotocol.io), versions 2024-11-05 to 2025-11-25, and 2026-07-28, which is stateless. MCP
 * has no sessions that users know: everything belongs to the connection.
 */
export class McpReader extends JsonRpcInterpreter {
  private readonly progress = new ProgressReader(this.requests);
  private readonly handshake = new Handshake();
  private readonly tasks = new Tasks(this.requests);
  private looseIdTold = false;

  constructor(context: ReaderContext) {
    super(context, {
      expected: 'MCP has one JSON-RPC message to a line',
      hasLooseIds: true,
      logForm,
      methods: mcpMethods,
    });
  }

  protected override lossLevel({ role }: OpenRequest): Level {
    // A subscription gets its response when it ends, with nothing left undone.
    if (role === 'subscription') return 'info';
    return role === 'tool' ? 'error' : 'warning';
  }

  protected override loggerOf(request: OpenRequest): string {
    return loggerOf(request);
  }

  protected override detailsOf(
    method: string,
    params: unknown,
    _t: number,
    direction: OpenRequest['direction'],
  ): RequestDetails {
    const progressToken = progressTokenOf(params);
    const taskId = method.startsWith('tasks/') ? taskIdOf(objectOf(params)) : undefined;
    const task = taskId === undefined ? undefined : this.tasks.requestOf(direction, taskId);
    const about = task ? subjectOf(task) : taskId && taskLabel(taskId);
    return {
      noted: notedOf(params, about),
      ...(progressToken !== undefined && { progressToken }),
      ...(method === 'tools/call' && { isToolCall: true }),
      ...(taskId !== undefined && { taskId }),
      // It is answered only when the subscription ends.
      ...(method === 'subscriptions/listen' && { isOptional: true }),
    };
  }

  protected override isOtherStep(method: string): boolean {
    return otherSteps.has(method);
  }

  protected override acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void {
    const { method, direction, taskId } = request;
    if (method === 'tasks/update') this.taskChanged(event, this.tasks.responded(direction, objectOf(params)));
    if (method === 'tasks/cancel') this.taskChanged(event, this.tasks.cancelling(direction, taskId ?? ''));
    if (direction === 'in') return this.record(event, describeAsk(method, params));
    this.record(event, this.handshake.asked(params));
    this.record(event, describeCall(request, params));
  }

  protected override acceptAnswer(event: WireMessage, request: OpenRequest, answer: Answer): void {
    const id = requestIdOf(objectOf(event.msg)['id']);
    if (id !== undefined && request.id !== id) this.tellLooseId(event, request.id, id);
    const task = newTaskOf(request, answer);
    if (!task) return super.acceptAnswer(event, request, answer);
    const going = { ...request, taskId: task.id };
    const dropped = this.requests.accept(going);
    if (dropped) this.closed(dropped);
    this.record(event, this.handshake.answered(request, task.fields));
    this.taskChanged(event, this.tasks.begin(going, task, event.t));
  }

  private taskChanged(event: WireMessage, { texts, facts, ended }: TaskChange): void {
    for (const fact of facts) this.say({ event, sessionId: undefined, ...fact });
    if (ended) {
      const { request, how, error } = ended;
      this.requests.end(request.direction, request.id, how, event.t);
      this.endedBy(event, request, how, error);
    }
    for (const text of texts) this.record(event, text);
  }

  protected override goesOn(request: OpenRequest, answer: Answer): boolean {
    return newTaskOf(request, answer) !== undefined;
  }

  protected override describeUnanswered(request: OpenRequest, ms: number): string {
    if (!isTask(request)) return super.describeUnanswered(request, ms);
    return withSubject(request, `its task had not ended (open for ${duration(ms)})`);
  }

  /** Over HTTP a request may end without a message. */
  protected override acceptConnectionEvent(event: WireProcessEvent): boolean {
    if (event.ev === 'http' && event.requestId !== undefined) {
      const request = this.endUnanswered(event.requestId, 'failed', event.t);
      return this.endExchange(event, request, 'failed', (failed, ms) =>
        describeFailure(failed, inEnglish(httpText(event)), ms, this.askedToEnd),
      );
    }
    if (event.ev === 'stream-close' && event.cancels !== undefined) {
      const request = this.endUnanswered(event.cancels, 'cancelled', event.t);
      return this.endExchange(event, request, 'cancelled', (cancelled, ms) =>
        describeCancelled(cancelled, event.message, ms, 'client'),
      );
    }
    return false;
  }

  /** The end of its HTTP exchange doesn't end a task. */
  private endUnanswered(id: RequestId, how: 'failed' | 'cancelled', t: number): OpenRequest | undefined {
    return this.requests.isAccepted({ direction: 'out', id }) ? undefined : this.requests.end('out', id, how, t);
  }

  private endExchange(
    event: WireProcessEvent,
    request: OpenRequest | undefined,
    how: ClosedFact['how'],
    describe: (request: OpenRequest, ms: number) => ExchangeText,
  ): boolean {
    if (!request) return false;
    this.endedBy(event, request, how);
    this.sink.record(exchangeRecord(undefined, event.t, undefined, describe(request, event.t - request.startedAt)));
    return true;
  }

  protected override say(fact: Fact): WorkEnd | undefined {
    const ended = super.say(fact);
    const tool = toolFactOf(fact);
    return tool ? super.say(tool) : ended;
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    const { method, direction, taskId = '' } = request;
    const answer = { result: undefined, error };
    const change =
      method === 'tasks/result'
        ? this.tasks.delivered(direction, taskId, answer, event.t)
        : method === 'tasks/get'
          ? this.tasks.lost(direction, taskId, error, event.t)
          : undefined;
    if (change?.ended) return this.taskChanged(event, change);
    if (request.direction === 'in') return this.record(event, describeRefusal(request, error, ms));
    const isLevel = request.method === 'logging/setLevel';
    this.record(event, isLevel ? this.handshake.levelRefused(request, error) : describeError(request, error, ms));
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const fields = objectOf(result);
    if (this.acceptTaskResult(event, request, fields)) return;
    if (request.direction === 'in') return this.record(event, describeReply(request, result, ms));
    switch (request.method) {
      case 'initialize':
        return this.record(event, this.handshake.initialized(request, fields, ms));
      case 'server/discover':
        return this.record(event, this.handshake.discovered(request, fields, ms));
      case 'logging/setLevel':
        return this.record(event, this.handshake.levelSet(request, ms));
    }
    this.record(event, this.handshake.answered(request, fields));
    this.record(event, describeResult(request, result, ms));
    if (fields['resultType'] !== 'input_required') return;
    for (const text of describeInputRequests(fields)) this.record(event, text);
  }

  /** Returns whether the result is that of a task, or its state. Equal states have no record. */
  private acceptTaskResult(
    event: WireMessage,
    { method, direction, taskId }: OpenRequest,
    result: JsonObject,
  ): boolean {
    if (taskId === undefined) return false;
    switch (method) {
      case 'tasks/get':
        if (textOf(result['status']) === undefined) return false;
        this.taskChanged(event, this.tasks.update(direction, { ...result, taskId }, event.t));
        return true;
      case 'tasks/result':
        if (!this.tasks.requestOf(direction, taskId)) return false;
        this.taskChanged(event, this.tasks.delivered(direction, taskId, { result, error: undefined }, event.t));
        return true;
      case 'tasks/cancel':
        this.taskChanged(event, this.tasks.cancelled(direction, taskId, result, event.t));
        return textOf(result['status']) !== undefined;
      default:
        return false;
    }
  }

  /** A late response is fine: it may have crossed the cancellation. */
  protected override acceptStray(event: WireMessage, response: StrayResponse, late?: ClosedRequest): void {
    if (!late) return super.acceptStray(event, response);
    const { request, how } = late;
    this.record(event, { level: 'info', logger: loggerOf(request), message: withSubject(request, lateAnswers[how]) });
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    switch (method) {
      case 'notifications/message':
        if (event.dir === 'a2c') return this.sink.record(logRecord(params, event.t, event.line));
        break;
      case 'notifications/progress':
        return this.acceptProgress(event, params);
      case 'notifications/cancelled':
        return this.acceptCancelled(event, objectOf(params));
      case 'notifications/tasks':
      case 'notifications/tasks/status': {
        const fields = objectOf(params);
        if (taskIdOf(fields) === undefined) break;
        return this.taskChanged(event, this.tasks.update(event.dir === 'a2c' ? 'out' : 'in', fields, event.t));
      }
    }
    this.record(event, describeNotification(method, params));
  }

  private acceptProgress(event: WireMessage, params: unknown): void {
    for (const text of this.progress.accept(event, params)) this.record(event, text);
  }

  /** A cancelled request gets no response. */
  private acceptCancelled(event: WireMessage, params: JsonObject): void {
    const id = requestIdOf(params['requestId']);
    const direction = event.dir === 'c2a' ? 'out' : 'in';
    // Only `tasks/cancel` ends a task.
    const isTask = id !== undefined && this.requests.isAccepted({ direction, id });
    const closed = id === undefined || isTask ? undefined : this.requests.cancel(event.dir, id, event.t);
    const reason = textOf(params['reason']);
    if (!closed) {
      const why = reason === undefined ? '' : `: ${oneLine(reason, 500)}`;
      const state = isTask ? 'goes on as a task' : 'is not open';
      const message = `request ${oneLine(String(id ?? '(no id)'), 60)} is cancelled, which ${state}${why}`;
      return this.record(event, { level: 'debug', logger: 'notifications/cancelled', message });
    }
    const { request, how } = closed;
    this.endedBy(event, request, how);
    const by = event.dir === 'c2a' ? 'client' : 'server';
    this.record(event, describeCancelled(request, reason, event.t - request.startedAt, by));
  }

  private tellLooseId(event: WireMessage, asked: RequestId, given: RequestId): void {
    if (this.looseIdTold) return;
    this.looseIdTold = true;
    const message = `an id came back as another type, which is told of once: ${JSON.stringify(asked)} as ${JSON.stringify(given)}`;
    this.record(event, { level: 'debug', logger: 'JSON-RPC', message });
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    super.acceptEnd(event);
    this.tasks.clear();
  }

  protected override closed(request: OpenRequest): void {
    this.progress.forget(request);
    this.tasks.forget(request);
    super.closed(request);
  }
}

/** The task that the answer to a request begins. */
function newTaskOf({ method }: OpenRequest, { result, error }: Answer): NewTask | undefined {
  return error || method.startsWith('tasks/') ? undefined : taskIn(result);
}

/** Whether the request goes on as a task. */
function isTask({ method, taskId }: OpenRequest): boolean {
  return taskId !== undefined && !method.startsWith('tasks/');
}
