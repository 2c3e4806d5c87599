import { ownHead, ownTail } from '../../log/ownText';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, objectOf, textOf } from '../../protocols/json';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../conversation/turn';
import type { Findings, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { ToolEnd } from '../failures/toolEnd';
import { toolFinding } from '../failures/toolEnd';
import { commandOf, contentTextOf, exitCodeOf, outputError } from '../../protocols/activity/toolOutput';

interface Tool {
  /** When the turn began that it was called in. */
  readonly turn: number | undefined;
  title: string;
  command: string | undefined;
  kind: string;
  status: string;
  exit: number | undefined;
  error: string | undefined;
  output: string;
  /** The person did not let it run. */
  isRejected: boolean;
  isTold: boolean;
}

/** More tool calls are not followed; a longer run forgets the oldest. */
const maxTools = 500;
const maxAsked = 100;
/** So much of a title is kept, in characters. */
const maxTitle = 300;
const maxCommand = 1000;

/** Tools that failed, whatever the status of their call says (ACP "Tool Calls"). */
export class ToolFailures implements Rule {
  private readonly tools = new BoundedMap<string, Tool>(maxTools);
  /** What was asked for permission, by the question's id: the tool, and the options that mean no. */
  private readonly asked = new BoundedMap<string, { readonly tool: Tool; readonly no: ReadonlySet<string> }>(maxAsked);

  /** When the latest cancelled turn of a session began. */
  private readonly cancelled = new BoundedMap<string, number>(maxTools);

  readonly methods = new Set(['session/update']);

  turnEnded({ turn: { sessionId, startedAt, cancel, stopReason } }: TurnEnd): undefined {
    if (cancel || stopReason === 'cancelled') this.cancelled.set(sessionId, startedAt);
  }

  request({ dir, request, params }: RequestFact, { turns }: Conversation): undefined {
    if (dir !== 'a2c' || request.method !== 'session/request_permission') return;
    const { id, sessionId } = request;
    this.noteQuestion(String(id), sessionId, params, turns.get(sessionId ?? '')?.startedAt);
  }

  response({ dir, request, result }: ResponseFact): undefined {
    if (dir === 'c2a' && request) this.noteAnswer(String(request.id), objectOf(objectOf(result)['outcome']));
  }

  notification(fact: NotificationFact, conversation: Conversation): Findings {
    return fact.dir === 'a2c' ? this.judge(fact, objectOf(fact.params['update']), conversation) : undefined;
  }

  private noteQuestion(id: string, sessionId: string | undefined, params: JsonObject, turn: number | undefined): void {
    const toolId = textOf(objectOf(params['toolCall'])['toolCallId']) ?? '';
    const known = this.tools.get(keyOf(sessionId, toolId));
    const tool = known && !hasEnded(known) && known.turn === turn ? known : this.begin(sessionId, toolId, turn);
    const options = arrayOf(params['options']).slice(0, 20).map(objectOf);
    const no = options.filter(({ kind }) => typeof kind === 'string' && kind.startsWith('reject'));
    this.asked.set(id, { tool, no: new Set(no.flatMap(({ optionId }) => textOf(optionId)?.slice(0, 200) ?? [])) });
  }

  private noteAnswer(id: string, outcome: JsonObject): void {
    const asked = this.asked.get(id);
    if (!asked) return;
    this.asked.delete(id);
    const option = textOf(outcome['optionId']);
    if (outcome['outcome'] !== 'selected' || (option !== undefined && asked.no.has(option))) {
      asked.tool.isRejected = true;
    }
  }

  private judge(seen: NotificationFact, update: JsonObject, conversation: Conversation): Findings {
    const kind = textOf(update['sessionUpdate']);
    if (kind !== 'tool_call' && kind !== 'tool_call_update' && kind !== 'terminal_update') return undefined;
    const id = textOf(update['toolCallId']) ?? textOf(update['terminalId']);
    if (id === undefined) return undefined;
    const turn = conversation.turns.get(seen.sessionId ?? '');
    const known = this.tools.get(keyOf(seen.sessionId, id));
    const isAnother = known !== undefined && isOfAnother(known, update, turn?.startedAt);
    const tool = known && !isAnother ? known : this.begin(seen.sessionId, id, turn?.startedAt);
    note(tool, update);
    for (const terminal of terminalsOf(update)) this.tools.set(keyOf(seen.sessionId, terminal), tool);
    // What a session/load repeats is history, also if its end comes later.
    if (conversation.isReplaying(seen.sessionId)) tool.isTold = true;
    if (tool.isTold || tool.isRejected || !hasEnded(tool, kind === 'terminal_update')) return undefined;
    const found = toolFinding(asEnd(tool));
    if (!found) return undefined;
    tool.isTold = true;
    if (turn?.cancel || this.wasCancelled(tool, seen.sessionId)) return undefined; // with its turn
    return { ...found, sessionId: seen.sessionId };
  }

  private wasCancelled({ turn }: Tool, sessionId = ''): boolean {
    return turn !== undefined && this.cancelled.get(sessionId) === turn;
  }

  private begin(sessionId: string | undefined, id: string, turn: number | undefined): Tool {
    const tool = {
      turn,
      title: '',
      command: undefined,
      kind: '',
      status: '',
      exit: undefined,
      error: undefined,
      output: '',
      isRejected: false,
      isTold: false,
    };
    this.tools.set(keyOf(sessionId, id), tool);
    return tool;
  }
}

/** Whether an update is of another call by the same id: some agents count their calls from 1 in each turn, or name them for the tool. */
function isOfAnother(known: Tool, update: JsonObject, turn: number | undefined): boolean {
  const { sessionUpdate, status } = update;
  const isCall = sessionUpdate === 'tool_call';
  if (isCall && known.turn !== turn) return true;
  if (!hasEnded(known)) return false;
  if (status === 'pending' || status === 'in_progress') return true;
  // The same end may be sent twice.
  return isCall && (status === undefined || ownHead(textOf(update['title']) ?? known.title, maxTitle) !== known.title);
}

function keyOf(sessionId: string | undefined, id: string): string {
  return `${sessionId ?? ''} ${id.slice(0, 200)}`;
}

/** The terminals that a tool call shows: how one ends is how the tool did. */
function terminalsOf(update: JsonObject): string[] {
  return arrayOf(update['content'])
    .slice(0, 20)
    .map(objectOf)
    .flatMap(({ type, terminalId }) => (type === 'terminal' ? (textOf(terminalId) ?? []) : []));
}

function note(tool: Tool, update: JsonObject): void {
  tool.title = ownHead(textOf(update['title']) ?? tool.title, maxTitle);
  const command = commandOf(update['rawInput']);
  if (command !== undefined) tool.command = ownHead(command, maxCommand);
  tool.kind = ownHead(textOf(update['kind']) ?? tool.kind, 40);
  tool.status = ownHead(textOf(update['status']) ?? tool.status, 40);
  tool.exit = exitCodeOf(update) ?? tool.exit;
  const error = outputError(update['rawOutput']);
  if (error !== undefined) tool.error = ownHead(error, 500);
  const output =
    contentTextOf(update['content']) ?? textOf(objectOf(objectOf(update['_meta'])['terminal_output_delta'])['data']);
  tool.output = shortened(output ?? outputText(update['rawOutput']) ?? tool.output);
}

/** Until it has ended, a number or a text may be that of a part of it. */
function hasEnded({ status }: Tool, isTerminal = false): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || isTerminal;
}

function asEnd({ title, command, kind, status, exit, error, output }: Tool): ToolEnd {
  return {
    title: command ?? title,
    isCommand: command !== undefined || kind === 'execute',
    hasFailed: status === 'failed',
    isCompleted: status === 'completed',
    exitCode: exit,
    error,
    output,
  };
}

/** Its beginning and its end: either may state the exit code. */
function shortened(output: string): string {
  return output.length <= 1000 ? ownTail(output, 1000) : `${ownHead(output, 200)}\n${ownTail(output, 700)}`;
}

function outputText(output: unknown): string | undefined {
  return typeof output === 'string' ? output : textOf(objectOf(output)['output']);
}
