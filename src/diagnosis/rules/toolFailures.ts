import { ownHead } from '../../log/ownText';
import { BoundedMap } from '../../log/boundedMap';
import type { PermissionFact, SubagentFact, TerminalFact, ToolFact } from '../../work/activity';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../conversation/turn';
import type { Finding } from '../diagnosis';
import type { Findings, Found, Rule } from '../rule';
import { toolFinding } from '../failures/toolEnd';

interface Tool {
  /** The start of the turn that called it. */
  readonly turn: number | undefined;
  /** A terminal that no call shows. */
  readonly isTerminal: boolean;
  title: string;
  command: string | undefined;
  isCommand: boolean;
  isDelegation: boolean;
  childError: string | undefined;
  outcome: ToolFact['outcome'];
  hasEnded: boolean;
  exitCode: number | undefined;
  signal: string | undefined;
  error: string | undefined;
  output: string;
  /** The user didn't allow it. */
  isRejected: boolean;
  /** Nothing more is reported about it. */
  isDone: boolean;
}

/** How many tool calls are followed; the oldest are dropped. */
const maxTools = 500;
const maxAsked = 100;
const maxText = 1000;
const maxName = 100;
/** How long the failure of a tool that waits for a subagent is held back, in milliseconds: the subagent's own report may follow. */
const maxHold = 2000;
/** Names of tools that run a subagent, or wait for one. */
const delegates = /^\s*(?:task|wait|join|delegate|spawn|dispatch)\b|\b(?:sub-?)?agents?\b/i;

/** Tools that failed, whatever the status of their call. */
export class ToolFailures implements Rule {
  private readonly tools = new BoundedMap<string, Tool>(maxTools);
  /** By terminal: the tool that it belongs to. */
  private readonly terminals = new BoundedMap<string, Tool>(maxTools);
  /** By question: the tool that waits for the answer. */
  private readonly asked = new BoundedMap<string, Tool>(maxAsked);
  /** Start of the latest cancelled turn, by session. */
  private readonly cancelled = new BoundedMap<string, number>(maxTools);
  /** Start of the latest turn with a subagent that failed, by the session that started it. */
  private readonly failed = new BoundedMap<string, number | undefined>(maxTools);
  /** Failures of tools that wait for subagents, by session. */
  private readonly held = new BoundedMap<string, Finding>(maxAsked);

  turnEnded({ turn: { sessionId, startedAt, cancel, stopReason } }: TurnEnd): Findings {
    if (cancel || stopReason === 'cancelled') this.cancelled.set(sessionId, startedAt);
    return this.release(sessionId);
  }

  /** A subagent with a session reports its own failure, so that of the tool that waited for it is its consequence. */
  subagent({ change, outcome, sessionId = '' }: SubagentFact, conversation: Conversation): Findings {
    if (change !== 'ended' || outcome !== 'failed' || conversation.protocol !== 'acp') return undefined;
    this.failed.set(sessionId, turnIn(sessionId, conversation));
    const found = this.release(sessionId);
    return found && { ...found, level: 'notice' };
  }

  passed(t: number): Findings {
    if (this.held.size === 0) return undefined;
    const due = this.held.values().filter(({ at }) => t - at > maxHold);
    return due.map(({ sessionId = '' }) => this.release(sessionId));
  }

  finished(): Findings {
    return this.held.keys().map((sessionId) => this.release(sessionId));
  }

  isWatching(): boolean {
    return this.held.size > 0;
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
    // In a stream, the end of input also cancels a question.
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
    // Version 2 shows terminals on their own; version 1 only in tool calls.
    const hasExited = tool.exitCode !== undefined || tool.signal !== undefined;
    if (hasExited && tool.isTerminal && conversation.isAcpVersion2) tool.hasEnded = true;
    return this.judge(tool, fact, conversation);
  }

  private judge(tool: Tool, { sessionId, ...fact }: ToolFact | TerminalFact, conversation: Conversation): Findings {
    if (tool.isDone || tool.isRejected || !tool.hasEnded) return undefined;
    // An MCP tool whose request failed has no outcome.
    const hasEnd = tool.outcome !== undefined || tool.output !== '' || fact.type === 'terminal';
    const found = hasEnd ? toolFinding(tool) : undefined;
    if (!found) return undefined;
    tool.isDone = true;
    // Failures in an interrupted turn are expected.
    if (fact.type === 'tool' && fact.isInterrupted === true) return { ...found, level: 'notice' };
    const isCancelled = conversation.turns.get(sessionId ?? '')?.cancel !== undefined;
    if (isCancelled || this.wasCancelled(tool, sessionId)) return undefined;
    return tool.isDelegation ? this.ofDelegation(found, { sessionId, ...fact }, conversation) : found;
  }

  /** Whether a failed tool or the subagent that it waited for failed: the subagent's end may come before or after. */
  private ofDelegation(
    found: Found,
    { sessionId = '', event }: ToolFact | TerminalFact,
    conversation: Conversation,
  ): Findings {
    const turn = conversation.turns.get(sessionId);
    if (turn && this.failed.get(sessionId) === turn.startedAt) return { ...found, level: 'notice' };
    if (!turn || turn.subagents.size === 0 || conversation.protocol !== 'acp') return found;
    const before = this.release(sessionId);
    this.held.set(sessionId, { ...found, sessionId, at: event.t, raw: event.line, evidence: undefined });
    return before;
  }

  private release(sessionId: string): Finding | undefined {
    const found = this.held.get(sessionId);
    this.held.delete(sessionId);
    return found;
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

/** Whether a fact is about a different call with the same ID: some agents restart at 1 in each turn, or use the tool's name. */
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
    isDelegation: false,
    childError: undefined,
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
  // A stream's titles contain more than the name.
  const title = fact.isNew === undefined ? (fact.name ?? fact.title) : fact.title;
  if (title !== undefined) tool.title = ownHead(title, maxText);
  if (fact.command !== undefined) tool.command = ownHead(fact.command, maxText);
  tool.isCommand = fact.isCommand ?? (tool.isCommand || tool.command !== undefined);
  tool.childError = fact.childError ?? tool.childError;
  tool.isDelegation ||= fact.isSubagent === true || delegates.test(nameIn(`${fact.name ?? ''} ${title ?? ''}`));
  if (change === 'ended') tool.hasEnded = true;
  tool.outcome = fact.outcome ?? tool.outcome;
  tool.exitCode = fact.exitCode ?? tool.exitCode;
  tool.signal = fact.signal ?? tool.signal;
  tool.error = fact.error ?? tool.error;
  tool.output = fact.output ?? tool.output;
}

/** `wait agent` for `waitAgent` and `wait_agent`. */
function nameIn(title: string): string {
  return title.slice(0, maxName).replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ');
}

function turnIn(sessionId: string | undefined, { turns }: Conversation): number | undefined {
  return turns.get(sessionId ?? '')?.startedAt;
}

function keyOf(sessionId: string | undefined, id: string): string {
  return `${sessionId ?? ''} ${id}`;
}
