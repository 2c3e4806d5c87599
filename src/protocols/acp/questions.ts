import type { JsonObject, RequestId } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { ownKey } from '../../text/ownText';
import { oneLine } from '../../text/text';
import type { Asking, PermissionFact } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import { inputDigest } from '../../work/tools/inputDigest';
import { commandEndOf, commandOf } from '../../work/tools/toolOutput';
import type { Answer } from '../jsonrpc/jsonRpcInterpreter';
import { headOf, idOf } from './toolCalls';
import type { AcpWriter } from './writer';

/** Requests answered by the user, or by the client's model. */
const questions: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['session/request_permission', 'permission'],
  ['elicitation/create', 'answer'],
  ['sampling/createMessage', 'answer'],
]);
/** Requests by which the agent acts through the client. */
const acts = /^(?:fs|terminal|mcp)\//;
const maxTitle = 300;
const maxCommand = 1000;

/** Limits for the options of one request, which may stay open for a long time. */
const maxOptions = 100;
const maxKind = 40;
const maxName = 200;
const maxId = 200;

/** The agent asks something of the client: an answer, a permission, a file, a terminal. */
export function asked({ id, method, sessionId }: OpenRequest, params: JsonObject, out: AcpWriter): void {
  const asking = progress(method, sessionId, out);
  if (!asking) return;
  const { toolCall, input } = permissionQuestion(params);
  const about = {
    id: String(id),
    asking,
    toolId: idOf(toolCall['toolCallId']),
    title: headOf(textOf(params['title']) ?? textOf(toolCall['title']) ?? params['message'], maxTitle),
    tool: {
      kind: headOf(toolCall['kind'], maxTitle),
      name: headOf(toolCall['name'], maxTitle),
      command: headOf(commandOf(input), maxCommand),
      input: inputDigest(input),
    },
  };
  out.questions.set(about.id, { sessionId, asking });
  out.fact(sessionId, { type: 'permission', change: 'asked', ...about });
}

export function answered(
  { id, method, sessionId, noted }: OpenRequest,
  { result, error }: Answer,
  out: AcpWriter,
): void {
  const asking = progress(method, sessionId, out);
  if (method.startsWith('terminal/')) ran(sessionId, { ...objectOf(noted), ...objectOf(result) }, out);
  if (!asking) return;
  if (error) return settle(id, out, 'cancelled');
  if (asking === 'answer') return settle(id, out, answerOutcome(method, objectOf(result)));
  const answer = permissionAnswer(objectOf(result), noted as readonly PermissionOption[]);
  settle(id, out, permissionOutcome(answer), answer.type === 'selected' ? alwaysOf(answer.option) : undefined);
}

/** The agent withdraws a question, such as when its turn is cancelled. */
export function withdrawn({ id }: OpenRequest, out: AcpWriter): void {
  settle(id, out, 'cancelled');
}

/** `terminal/wait_for_exit` returns the exit status itself; `terminal/output` and version 2 nest it in a field. */
export function ran(sessionId: string | undefined, terminal: JsonObject, out: AcpWriter): void {
  const id = idOf(terminal['terminalId']);
  const command = headOf(terminal['command'], maxCommand);
  const { exitStatus } = terminal;
  const end = commandEndOf({ exitStatus: isObject(exitStatus) ? exitStatus : terminal });
  if (id === undefined || (command === undefined && end.exitCode === undefined && end.signal === undefined)) return;
  // In version 2, terminals are shown on their own.
  out.fact(sessionId, { type: 'terminal', id, command, ...end, isShown: out.isVersion2 });
}

function progress(method: string, sessionId: string | undefined, out: AcpWriter): Asking | undefined {
  const asking = questions.get(method);
  if (asking || acts.test(method)) out.fact(sessionId, { type: 'progress' });
  return asking;
}

function settle(requestId: RequestId, out: AcpWriter, outcome: PermissionFact['outcome'], always?: string): void {
  const id = String(requestId);
  const question = out.questions.get(id);
  if (!question) return;
  out.questions.delete(id);
  const { sessionId, asking } = question;
  out.fact(sessionId, { type: 'permission', change: 'settled', id, asking, toolId: undefined, outcome, always });
}

/** A permission request of either version. */
interface PermissionQuestion {
  readonly title: string;
  /** Why the agent needs it, if it says so. */
  readonly description: string | undefined;
  /** The tool's input, or another subject as the agent sent it. */
  readonly input: unknown;
  readonly toolCall: JsonObject;
  readonly options: readonly JsonObject[];
}

/** Version 1 asks about a `toolCall`. Version 2 has a title, and a subject: a tool call, a command or a vendor's type. */
export function permissionQuestion(params: JsonObject): PermissionQuestion {
  const subject = objectOf(params['subject']);
  const toolCall = objectOf(params['toolCall'] ?? subject['toolCall']);
  const command = textOf(subject['command']);
  const title =
    textOf(params['title']) ??
    textOf(toolCall['title']) ??
    command ??
    textOf(toolCall['toolCallId']) ??
    'a tool call without a title';
  const { type, ...fields } = subject;
  const about = command === undefined && toolCall !== subject['toolCall'] ? subject : fields;
  const ofSubject = type === undefined || 'toolCall' in subject ? undefined : about;
  return {
    title,
    description: textOf(params['description']),
    input: toolCall['rawInput'] ?? ofSubject,
    toolCall,
    options: arrayOf(params['options']).map(objectOf),
  };
}

/** An option of a permission request, as kept until the answer. */
export interface PermissionOption {
  /** Stands for its ID. */
  readonly key: string;
  /** `allow_once`, `reject_always`; empty if the agent didn't say. */
  readonly kind: string;
  readonly name: string;
}

/** What the user answered. `option` is absent if the answer names none that is known: whether it allows anything is unknown, too. */
type PermissionAnswer =
  | { readonly type: 'selected'; readonly optionId: string | undefined; readonly option: PermissionOption | undefined }
  | { readonly type: 'other'; readonly outcome: string | undefined };

/** The options in the parameters of `session/request_permission`. */
export function offeredOptions(params: JsonObject): readonly PermissionOption[] {
  const options = arrayOf(params['options']).slice(0, maxOptions).map(objectOf);
  return options.map(({ optionId, name, kind }) => ({
    key: optionKey(optionId),
    kind: oneLine(textOf(kind) ?? '', maxKind),
    name: oneLine(textOf(name) ?? '', maxName),
  }));
}

/** Reads the result of `session/request_permission`. */
export function permissionAnswer(result: JsonObject, offered: readonly PermissionOption[]): PermissionAnswer {
  const { outcome, optionId } = objectOf(result['outcome']);
  if (outcome !== 'selected') return { type: 'other', outcome: textOf(outcome) };
  const id = textOf(optionId);
  const key = optionKey(optionId);
  const [option, ...more] = id === undefined ? [] : offered.filter((one) => one.key === key);
  const isClear = more.every(({ kind }) => kind === option?.kind);
  return { type: 'selected', optionId: id && ownKey(id, maxId), option: isClear ? option : undefined };
}

/** Long IDs may differ only at their ends. */
function optionKey(optionId: unknown): string {
  const id = textOf(optionId) ?? '';
  return id.length <= maxId ? ownKey(id, maxId) : `${ownKey(id, maxId)} ${inputDigest(id) ?? ''}`;
}

/** `undefined` if it is unknown. */
function permissionOutcome(answer: PermissionAnswer): PermissionFact['outcome'] {
  if (answer.type === 'other') return answer.outcome === 'cancelled' ? 'cancelled' : undefined;
  const { kind = '' } = answer.option ?? {};
  if (kind.startsWith('allow')) return 'ok';
  return kind.startsWith('reject') ? 'refused' : undefined;
}

/** The answer of a form is its `action`, which version 1 nests. Whatever a model answers is what was asked for. */
function answerOutcome(method: string, { action }: JsonObject): PermissionFact['outcome'] {
  if (method === 'sampling/createMessage') return 'ok';
  switch (textOf(action) ?? textOf(objectOf(action)['action'])) {
    case 'accept':
      return 'ok';
    case 'decline':
      return 'refused';
    case 'cancel':
      return 'cancelled';
    default:
      return undefined;
  }
}

function alwaysOf(option: PermissionOption | undefined): string | undefined {
  const { kind, name } = option ?? {};
  return kind === 'allow_always' || kind === 'reject_always' ? (textOf(name) ?? kind) : undefined;
}
