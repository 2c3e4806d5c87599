import { oneLine } from '../../text/text';
import type { TaskState, ToolFact } from './toolFacts';
import { laterChanges } from '../changes/fileChange';
import type { Step } from '../step';
import { maxName, maxTitle } from '../step';
import type { HookBlock } from './hookBlock';
import type { Turn } from '../turn';

/** A tool call, or a command in a terminal that no call shows. What its facts say, together. */
export interface ToolCall extends Step {
  readonly kind: 'tool';
  /** The turn that called it. */
  readonly turn: Turn | undefined;
  /** A terminal that no call shows isn't a step. */
  readonly isTerminal: boolean;
  /** Whether it was reported as a step. */
  isStarted: boolean;
  /** When it started running: it may have waited for the user. */
  since: number;
  /** The latest report about it, and the latest that said something new of its task. */
  heardAt: number;
  newsAt: number;
  /** The task that it became, which goes on after the answer to its request (MCP). */
  task: TaskState | undefined;
  /** When it started by the agent's clock. */
  ownStart: number | undefined;
  /** Its duration in milliseconds, as reported or by the agent's clock. */
  took: number | undefined;
  /** The user runs it, not the agent. */
  isUsers: boolean;
  /** Its title or name without its arguments. */
  subject: string;
  command: string | undefined;
  /** Stands for its input, if that is known: see `inputDigest`. */
  input: string | undefined;
  /** The file or address that it reads or changes. */
  file: string | undefined;
  /** Whether it runs a command: only then can its output state an exit code. */
  isCommand: boolean;
  /** Whether it runs a subagent whose session the agent doesn't announce. */
  isSubagent: boolean;
  /** Whether it runs a subagent, or waits for one. */
  isDelegation: boolean;
  /** The subagent's error, if fields have it. */
  childError: string | undefined;
  outcome: ToolFact['outcome'];
  /** The agent reported its end. */
  hasEnded: boolean;
  exitCode: number | undefined;
  signal: string | undefined;
  error: string | undefined;
  output: string;
  /** The user refused it, or the question about it was cancelled. */
  unwanted: 'refused' | 'cancelled' | undefined;
  /** The hook that blocked it. */
  hook: HookBlock | undefined;
  /** It ended after the user had interrupted the turn. */
  isInterrupted: boolean;
}

/** Names of tools that run a subagent, or wait for one. */
const delegates = /^\s*(?:task|wait|join|delegate|spawn|dispatch)\b|\b(?:sub-?)?agents?\b/i;

export function newToolCall(sessionId: string, turn: Turn | undefined, isTerminal = false): ToolCall {
  return {
    id: '',
    kind: 'tool',
    parent: undefined,
    sessionId,
    turn,
    isTerminal,
    isStarted: false,
    startedAt: 0,
    since: 0,
    heardAt: 0,
    newsAt: 0,
    task: undefined,
    ownStart: undefined,
    took: undefined,
    isUsers: false,
    title: '',
    subject: '',
    command: undefined,
    input: undefined,
    file: undefined,
    isCommand: false,
    isSubagent: false,
    isDelegation: false,
    childError: undefined,
    outcome: undefined,
    hasEnded: false,
    exitCode: undefined,
    signal: undefined,
    error: undefined,
    output: '',
    unwanted: undefined,
    hook: undefined,
    isInterrupted: false,
  };
}

/** Whether its end may still be reported: it runs, or its turn ended before it did. */
export function isOpen({ isStarted, hasEnded, end }: ToolCall): boolean {
  return isStarted && !hasEnded && end?.outcome !== 'cancelled';
}

/** Adds what a fact says. Returns whether its title has changed. */
export function noteTool(tool: ToolCall, { change, ...fact }: ToolFact): boolean {
  const { title: before } = tool;
  // A stream's titles contain more than the name.
  const subject = fact.isNew === undefined ? (fact.name ?? fact.title) : fact.title;
  tool.subject = subject ?? tool.subject;
  tool.command = fact.command ?? tool.command;
  tool.input = fact.input ?? tool.input;
  tool.args = fact.args ?? tool.args;
  tool.result = fact.result ?? tool.result;
  tool.changes = laterChanges(tool.changes, fact.changes);
  if (fact.traceparent !== undefined) tool.traceparent = fact.traceparent;
  if (fact.marks !== undefined && fact.marks.length > 0) tool.marks = fact.marks;
  tool.file = fact.file ?? tool.file;
  const title = fact.title ?? (tool.title === '' ? (fact.command ?? fact.name) : undefined);
  if (title !== undefined) tool.title = oneLine(title, maxTitle);
  const hasName = tool.toolName !== undefined || fact.name === undefined;
  if (fact.name !== undefined) tool.toolName ??= oneLine(fact.name, maxName);
  tool.isCommand = fact.isCommand ?? (tool.isCommand || tool.command !== undefined);
  tool.childError = fact.childError ?? tool.childError;
  tool.task = fact.task ?? tool.task;
  tool.isSubagent ||= fact.isSubagent === true;
  tool.isUsers ||= fact.isUsers === true;
  tool.isDelegation ||= tool.isSubagent || delegates.test(nameIn(`${fact.name ?? ''} ${subject ?? ''}`));
  // A later end corrects an earlier one.
  if (tool.hasEnded && fact.outcome === 'ok') tool.error = undefined;
  if (change === 'ended') tool.hasEnded = true;
  tool.outcome = fact.outcome ?? tool.outcome;
  tool.exitCode = fact.exitCode ?? tool.exitCode;
  tool.signal = fact.signal ?? tool.signal;
  tool.error = fact.error ?? tool.error;
  tool.output = fact.output ?? tool.output;
  tool.isInterrupted ||= fact.isInterrupted === true;
  return tool.title !== before || !hasName;
}

/** Whether a fact is about a different call with the same ID: some agents restart at 1 in each turn, or use the tool's name. */
export function isOfAnother(
  known: ToolCall,
  { isNew, change, title, outcome }: ToolFact,
  turn: Turn | undefined,
): boolean {
  if (isNew === true && known.turn !== turn) return true;
  if (!known.hasEnded) return false;
  if (isNew !== true) return change === 'running';
  // The same end may be sent twice.
  return outcome === undefined || (title !== undefined && title !== known.subject);
}

/** `wait agent` for `waitAgent` and `wait_agent`. */
function nameIn(title: string): string {
  return title.slice(0, maxName).replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ');
}
