import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { ownHead } from '../../text/ownText';
import type { Asking, PermissionFact } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import { inputDigest } from '../../work/tools/inputDigest';
import { commandEndOf, commandOf } from '../../work/tools/toolOutput';
import type { Answer } from '../jsonrpc/jsonRpcInterpreter';
import type { PermissionAnswer, PermissionOption } from './chosenOption';
import { permissionAnswer } from './chosenOption';
import { permissionQuestion } from './exchange';
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
const maxQuestions = 200;

/** Reads what the agent asks of the client: answers, permissions, files, terminals. */
export class Questions {
  /** Open questions by request ID, with their session. */
  private readonly open = new BoundedMap<string, { readonly sessionId: string | undefined; readonly asking: Asking }>(
    maxQuestions,
  );

  /** @param isVersion2 whether the agent speaks version 2, in which terminals are shown on their own */
  constructor(
    private readonly out: AcpWriter,
    private readonly isVersion2: () => boolean,
  ) {}

  asked({ id, method, sessionId }: OpenRequest, params: JsonObject): void {
    const asking = this.progress(method, sessionId);
    if (!asking) return;
    const { toolCall, input } = permissionQuestion(params);
    const title = textOf(params['title']) ?? textOf(toolCall['title']) ?? textOf(params['message']);
    const about = {
      id: String(id),
      asking,
      toolId: idOf(toolCall['toolCallId']),
      title: title && ownHead(title, maxTitle),
      tool: {
        kind: headOf(toolCall['kind'], maxTitle),
        name: headOf(toolCall['name'], maxTitle),
        command: headOf(commandOf(input), maxCommand),
        input: inputDigest(input),
      },
    };
    this.open.set(about.id, { sessionId, asking });
    this.out.fact(sessionId, { type: 'permission', change: 'asked', ...about });
  }

  answered({ id, method, sessionId, noted }: OpenRequest, { result, error }: Answer): void {
    const asking = this.progress(method, sessionId);
    if (method.startsWith('terminal/')) this.ran(sessionId, { ...objectOf(noted), ...objectOf(result) });
    if (!asking) return;
    if (error) return this.settle(id, 'cancelled');
    if (asking === 'answer') return this.settle(id, answerOutcome(method, objectOf(result)));
    const answer = permissionAnswer(objectOf(result), noted as readonly PermissionOption[]);
    this.settle(id, permissionOutcome(answer), answer.type === 'selected' ? alwaysOf(answer.option) : undefined);
  }

  /** The agent withdraws a question, such as when its turn is cancelled. */
  withdrawn({ id }: OpenRequest): void {
    this.settle(id, 'cancelled');
  }

  /** `terminal/wait_for_exit` returns the exit status itself; `terminal/output` and version 2 nest it in a field. */
  ran(sessionId: string | undefined, terminal: JsonObject): void {
    const id = idOf(terminal['terminalId']);
    const command = headOf(terminal['command'], maxCommand);
    const { exitStatus } = terminal;
    const end = commandEndOf({ exitStatus: isObject(exitStatus) ? exitStatus : terminal });
    if (id === undefined || (command === undefined && end.exitCode === undefined && end.signal === undefined)) return;
    this.out.fact(sessionId, { type: 'terminal', id, command, ...end, isShown: this.isVersion2() });
  }

  /** Forgets the questions of a process that ended. */
  clear(): void {
    this.open.clear();
  }

  private progress(method: string, sessionId: string | undefined): Asking | undefined {
    const asking = questions.get(method);
    if (asking || acts.test(method)) this.out.fact(sessionId, { type: 'progress' });
    return asking;
  }

  private settle(requestId: RequestId, outcome: PermissionFact['outcome'], always?: string): void {
    const id = String(requestId);
    const question = this.open.get(id);
    if (!question) return;
    this.open.delete(id);
    const { sessionId, asking } = question;
    this.out.fact(sessionId, { type: 'permission', change: 'settled', id, asking, toolId: undefined, outcome, always });
  }
}

/** `undefined` if it is unknown. */
function permissionOutcome(answer: PermissionAnswer): PermissionFact['outcome'] {
  if (answer.type === 'other') return answer.outcome === 'cancelled' ? 'cancelled' : undefined;
  const { kind = '' } = answer.option ?? {};
  if (kind.startsWith('allow')) return 'allowed';
  return kind.startsWith('reject') ? 'refused' : undefined;
}

/** The answer of a form is its `action`, which version 1 nests. Whatever a model answers is what was asked for. */
function answerOutcome(method: string, { action }: JsonObject): PermissionFact['outcome'] {
  if (method === 'sampling/createMessage') return 'allowed';
  switch (textOf(action) ?? textOf(objectOf(action)['action'])) {
    case 'accept':
      return 'allowed';
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
