import { BoundedMap } from '../../text/boundedMap';
import { ownKey } from '../../text/ownText';
import type { HookFact, TaskState, TerminalFact, ToolFact } from './toolFacts';
import { maxActivityId } from '../activity';
import type { OpenSteps } from '../openSteps';
import type { OpenRequest } from '../requests';
import type { WorkSink } from '../step';
import { withoutTexts } from '../changes/fileChange';
import { keyOf, timeBetween } from '../step';
import { Hooks } from './hooks';
import type { ToolCall } from './toolCall';
import { isOfAnother, isOpen, newToolCall, noteTool } from './toolCall';
import { toolOutcome } from './toolOutcome';
import type { Turn } from '../turn';
import { addAct, startTool } from '../turn';

/** The newest calls are known, so that late reports about them find them. */
const maxKnown = 500;

const none: readonly ToolCall[] = [];

/** The tool calls of a run: pairs starts with ends, and decides how each ended. */
export class Tools {
  private readonly known = new BoundedMap<string, ToolCall>(maxKnown);
  readonly hooks: Hooks;
  /** By terminal: the call that shows it. */
  private readonly terminals = new BoundedMap<string, ToolCall>(maxKnown);
  /** Calls that became tasks, by the task's ID. */
  private readonly tasks = new BoundedMap<string, ToolCall>(maxKnown);
  /** The calls that ended with the latest fact. */
  private ended: ToolCall[] = [];
  /** The call that the user rejected last, without a question. */
  private rejected: ToolCall | undefined;

  constructor(
    private readonly steps: OpenSteps,
    private readonly sink: WorkSink,
  ) {
    this.hooks = new Hooks(steps);
  }

  /** The title of one of the newest calls. */
  titleOf(sessionId: string, id: string): string | undefined {
    return this.known.get(keyOf('tool', sessionId, id))?.title;
  }

  /** The calls that have ended since this was called last, or of whose end more is known since then. */
  takeEnded(): readonly ToolCall[] {
    if (this.ended.length === 0) return none;
    const { ended } = this;
    this.ended = [];
    return ended;
  }

  /**
   * @param current the session's turn
   * @param above the ID of the step that contains the session's current work
   */
  see(fact: ToolFact, current: Turn | undefined, above: string | undefined): void {
    const { sessionId, event, id, change } = fact;
    const turn = fact.isUsers === true ? undefined : current;
    if (turn && change !== 'resumed') {
      addAct(turn);
      turn.hasCalledTool = true;
    }
    const key = keyOf('tool', sessionId, id ?? `of ${event.t}`);
    const tool = this.callOf(key, fact, turn);
    if (!fact.task || hasMoved(tool.task, fact.task)) tool.newsAt = event.t;
    const isNews = noteTool(tool, fact);
    tool.heardAt = event.t;
    if (fact.task) this.tasks.set(fact.task.id, tool);
    if (change === 'resumed') tool.since = event.t;
    if (change === 'running' || change === 'ended') this.begin(key, tool, fact, above);
    for (const terminal of fact.terminals ?? []) this.show(keyOf('tool', sessionId, terminal), tool);
    if (turn && id !== undefined && change !== 'resumed') {
      if (change === 'ended') turn.tools.delete(id);
      else if (tool.isStarted) startTool(turn, id, tool);
    }
    const isEnd = change === 'ended' && tool.endedAt === undefined;
    if (turn && isEnd) turn.endedCalls++;
    if (isEnd) tool.took = fact.took ?? timeBetween(tool.ownStart, fact.time);
    if (isEnd) this.end(key, tool, event.t);
    else if (tool.hasEnded) this.endAgain(tool);
    else if (isNews && tool.isStarted) this.sink.changed(tool);
  }

  /** @param parent the ID of the step that contains the session's current work */
  seeHook(fact: HookFact, turn: Turn | undefined, parent: string | undefined): void {
    this.hooks.see(fact, { turn, tool: this.get(fact.sessionId, fact.toolId), parent });
  }

  /** A command in a terminal started or ended. */
  exited(fact: TerminalFact, turn: Turn | undefined): void {
    const { sessionId = '', id, command, exitCode, signal, isShown } = fact;
    const key = keyOf('tool', sessionId, id);
    const known = this.terminals.get(key);
    const tool = known ?? newToolCall(sessionId, turn, true);
    if (!known) this.terminals.set(key, tool);
    tool.command ??= command;
    tool.isCommand = true;
    tool.exitCode = exitCode ?? tool.exitCode;
    tool.signal = signal ?? tool.signal;
    const hasExited = tool.exitCode !== undefined || tool.signal !== undefined;
    if (tool.isTerminal && hasExited && isShown) {
      tool.hasEnded = true;
      tool.outcome = 'ok';
    }
    if (tool.hasEnded) this.endAgain(tool);
  }

  /** A call that has started, whether or not it has ended. The newest are known. */
  get(sessionId: string | undefined, id: string | undefined): ToolCall | undefined {
    const tool = id === undefined ? undefined : this.callAt(keyOf('tool', sessionId, ownKey(id, maxActivityId)));
    return tool?.isStarted === true ? tool : undefined;
  }

  /** The call that a request to an MCP server is. */
  ofRequest({ isToolCall, id }: OpenRequest): ToolCall | undefined {
    return isToolCall === true ? this.get(undefined, String(id)) : undefined;
  }

  /** The call that became this task. */
  ofTask(id: string): ToolCall | undefined {
    return this.tasks.get(id);
  }

  /** Those whose end may still be reported, oldest first. */
  get open(): readonly ToolCall[] {
    return this.known.values().filter(isOpen);
  }

  /** The call that a question is about. It may not have started. */
  askedAbout(sessionId: string, id: string, turn: Turn | undefined): ToolCall {
    const key = keyOf('tool', sessionId, id);
    const known = this.known.get(key);
    if (known && !known.hasEnded && known.turn === turn) return known;
    const tool = newToolCall(sessionId, turn);
    this.known.set(key, tool);
    return tool;
  }

  /** Claude Code tells its model that the user rejected a tool when the user interrupted the turn. */
  interrupted(turn: Turn | undefined): void {
    const { rejected } = this;
    if (!turn || rejected?.turn !== turn) return;
    rejected.end = { outcome: 'cancelled' };
    this.sink.changed(rejected);
  }

  private callOf(key: string, fact: ToolFact, turn: Turn | undefined): ToolCall {
    const known = fact.id === undefined ? undefined : this.callAt(key);
    if (known && !isOfAnother(known, fact, turn)) return known;
    const tool = newToolCall(fact.sessionId ?? '', turn);
    if (fact.id !== undefined) this.known.set(key, tool);
    return tool;
  }

  /** One that runs is known however many have started since. */
  private callAt(key: string): ToolCall | undefined {
    return this.known.get(key) ?? (this.steps.get(key) as ToolCall | undefined);
  }

  private begin(key: string, tool: ToolCall, fact: ToolFact, above: string | undefined): void {
    if (tool.isStarted) {
      if (tool.endedAt !== undefined && fact.isNew !== true) this.steps.reopen(key);
      return;
    }
    const { sessionId, event, id, parentId = '', took = 0 } = fact;
    tool.isStarted = true;
    if (tool.title === '') tool.title = 'a tool';
    tool.startedAt = event.t - took;
    tool.since = event.t;
    if (fact.change === 'running') tool.ownStart = fact.time;
    if (id !== undefined) tool.callId = id;
    // What the user runs is no step of the agent's.
    if (tool.isUsers) return;
    tool.id = this.steps.newId('tool');
    tool.parent = this.steps.get(keyOf('tool', sessionId, parentId))?.id ?? above;
    this.steps.begin(key, tool);
  }

  private show(key: string, tool: ToolCall): void {
    const before = this.terminals.get(key);
    this.terminals.set(key, tool);
    if (before?.isTerminal !== true) return;
    tool.exitCode ??= before.exitCode;
    tool.signal ??= before.signal;
  }

  private end(key: string, tool: ToolCall, t: number): void {
    this.hooks.ended(tool, t);
    const end = toolOutcome(tool);
    this.ended.push(tool);
    if (tool.turn) tool.turn.lastCall = end.outcome;
    if (tool.isUsers) Object.assign(tool, { endedAt: Math.max(t, tool.startedAt), end });
    else this.steps.end(key, t, end);
    tool.changes = withoutTexts(tool.changes);
    if (end.outcome === 'refused' && tool.unwanted !== 'refused') this.rejected = tool;
  }

  /** More is known about how it ended. The end of a call that was cancelled with its turn adds nothing. */
  private endAgain(tool: ToolCall): void {
    this.ended.push(tool);
    if (tool.end?.outcome === 'cancelled') return;
    tool.end = toolOutcome(tool);
    if (tool.turn) tool.turn.lastCall = tool.end.outcome;
    this.sink.changed(tool);
    tool.changes = withoutTexts(tool.changes);
  }
}

/** Whether a task is in another state than before. */
function hasMoved(before: TaskState | undefined, { status, message }: TaskState): boolean {
  return before?.status !== status || before.message !== message;
}
