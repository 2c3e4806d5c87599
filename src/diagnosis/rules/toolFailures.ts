import { ownHead } from '../../log/ownText';
import { BoundedMap } from '../../protocols/boundedMap';
import type { PermissionFact, TerminalFact, ToolFact } from '../../protocols/activity/activity';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../conversation/turn';
import type { Findings, Rule } from '../rule';
import { toolFinding } from '../failures/toolEnd';

interface Tool {
  /** When the turn began that it was called in. */
  readonly turn: number | undefined;
  /** A terminal that no call shows. */
  readonly isTerminal: boolean;
  title: string;
  command: string | undefined;
  isCommand: boolean;
  outcome: ToolFact['outcome'];
  hasEnded: boolean;
  exitCode: number | undefined;
  signal: string | undefined;
  error: string | undefined;
  output: string;
  /** The person did not let it run. */
  isRejected: boolean;
  /** Nothing more is reported of it. */
  isDone: boolean;
}

/** More tool calls are not followed; a longer run forgets the oldest. */
const maxTools = 500;
const maxAsked = 100;
const maxText = 1000;

/** Tools that failed, whatever the status of their call says. */
export class ToolFailures implements Rule {
  private readonly tools = new BoundedMap<string, Tool>(maxTools);
  /** By terminal: the tool that it belongs to. */
  private readonly terminals = new BoundedMap<string, Tool>(maxTools);
  /** By question: the tool that waits for its answer. */
  private readonly asked = new BoundedMap<string, Tool>(maxAsked);
  /** When the latest cancelled turn of a session began. */
  private readonly cancelled = new BoundedMap<string, number>(maxTools);

  turnEnded({ turn: { sessionId, startedAt, cancel, stopReason } }: TurnEnd): undefined {
    if (cancel || stopReason === 'cancelled') this.cancelled.set(sessionId, startedAt);
  }

  permission({ change, id, toolId, outcome, sessionId }: PermissionFact, conversation: Conversation): undefined {
    if (change === 'asked') {
      if (toolId !== undefined) {
        this.asked.set(id, this.toolOf(keyOf(sessionId, toolId), turnIn(sessionId, conversation)));
      }
      return;
    }
    const tool = this.asked.get(id);
    this.asked.delete(id);
    // A stream's question is also over if its input is.
    if (tool && (outcome === 'refused' || (outcome === 'cancelled' && conversation.protocol === 'acp'))) {
      tool.isRejected = true;
    }
  }

  tool(fact: ToolFact, conversation: Conversation): Findings {
    const turn = turnIn(fact.sessionId, conversation);
    const tool = fact.id === undefined ? newTool(turn) : this.toolOf(keyOf(fact.sessionId, fact.id), turn, fact);
    note(tool, fact);
    for (const id of fact.terminals ?? []) this.terminals.set(keyOf(fact.sessionId, id), tool);
    return this.judge(tool, fact, conversation);
  }

  terminal(fact: TerminalFact, conversation: Conversation): Findings {
    const key = keyOf(fact.sessionId, fact.id);
    const known = this.terminals.get(key);
    const tool = known ?? newTool(turnIn(fact.sessionId, conversation), true);
    if (!known) this.terminals.set(key, tool);
    tool.command ??= fact.command;
    tool.isCommand = true;
    tool.exitCode = fact.exitCode ?? tool.exitCode;
    tool.signal = fact.signal ?? tool.signal;
    // In version 2 terminals are shown by themselves; in version 1 only a tool call shows them.
    const hasExited = tool.exitCode !== undefined || tool.signal !== undefined;
    if (hasExited && tool.isTerminal && conversation.isAcpVersion2) tool.hasEnded = true;
    return this.judge(tool, fact, conversation);
  }

  private judge(tool: Tool, { sessionId, ...fact }: ToolFact | TerminalFact, conversation: Conversation): Findings {
    if (tool.isDone || tool.isRejected || !tool.hasEnded) return undefined;
    // A tool of MCP whose request failed has no outcome of its own.
    const hasEnd = tool.outcome !== undefined || tool.output !== '' || fact.type === 'terminal';
    const found = hasEnd ? toolFinding(tool) : undefined;
    if (!found) return undefined;
    tool.isDone = true;
    // What fails in a turn that the person has interrupted is no news.
    if (fact.type === 'tool' && fact.isInterrupted === true) return { ...found, level: 'notice', sessionId };
    const isCancelled = conversation.turns.get(sessionId ?? '')?.cancel !== undefined;
    return isCancelled || this.wasCancelled(tool, sessionId) ? undefined : { ...found, sessionId };
  }

  private wasCancelled({ turn }: Tool, sessionId = ''): boolean {
    return turn !== undefined && this.cancelled.get(sessionId) === turn;
  }

  private toolOf(key: string, turn: number | undefined, fact?: ToolFact): Tool {
    const known = this.tools.get(key);
    const isKnown = known && (fact ? !isOfAnother(known, fact, turn) : !known.hasEnded && known.turn === turn);
    const tool = isKnown ? known : newTool(turn);
    this.tools.set(key, tool);
    return tool;
  }
}

/** Whether a fact is about another call by the same id: some agents count their calls from 1 in each turn, or name them for the tool. */
function isOfAnother(known: Tool, { isNew, change, title, outcome }: ToolFact, turn: number | undefined): boolean {
  if (isNew === true && known.turn !== turn) return true;
  if (!known.hasEnded) return false;
  if (isNew !== true) return change === 'running';
  // The same end may be sent twice.
  return outcome === undefined || (title !== undefined && ownHead(title, maxText) !== known.title);
}

function newTool(turn: number | undefined, isTerminal = false): Tool {
  return {
    turn,
    isTerminal,
    title: '',
    command: undefined,
    isCommand: false,
    outcome: undefined,
    hasEnded: false,
    exitCode: undefined,
    signal: undefined,
    error: undefined,
    output: '',
    isRejected: false,
    isDone: false,
  };
}

function note(tool: Tool, { change, ...fact }: ToolFact): void {
  // A stream's titles have more than the name.
  const title = fact.isNew === undefined ? (fact.name ?? fact.title) : fact.title;
  if (title !== undefined) tool.title = ownHead(title, maxText);
  if (fact.command !== undefined) tool.command = ownHead(fact.command, maxText);
  tool.isCommand = fact.isCommand ?? (tool.isCommand || tool.command !== undefined);
  if (change === 'ended') tool.hasEnded = true;
  tool.outcome = fact.outcome ?? tool.outcome;
  tool.exitCode = fact.exitCode ?? tool.exitCode;
  tool.signal = fact.signal ?? tool.signal;
  tool.error = fact.error ?? tool.error;
  tool.output = fact.output ?? tool.output;
}

function turnIn(sessionId: string | undefined, { turns }: Conversation): number | undefined {
  return turns.get(sessionId ?? '')?.startedAt;
}

function keyOf(sessionId: string | undefined, id: string): string {
  return `${sessionId ?? ''} ${id}`;
}
