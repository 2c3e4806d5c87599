import type { InSession } from '../inSession';
import type { HookTimeout } from '../failures/hookTimeout';
import type { ReportedOutcome } from '../outcome';
import type { CallText, ToolInput } from './callText';

/** The state of a task that a tool call became (MCP). */
export interface TaskState {
  readonly id: string;
  /** `working`, `input_required`, or one that ends it. */
  readonly status: string;
  readonly message: string | undefined;
}

/** A tool call. Each fact contains only what its line says. */
export interface ToolFact extends InSession, ToolInput {
  readonly type: 'tool';
  /** `running`: it has started; may repeat. `resumed`: it starts running after waiting for the user. */
  readonly change: 'running' | 'updated' | 'resumed' | 'ended';
  /** At most 200 characters. `undefined` if the agent's calls have no IDs. */
  readonly id: string | undefined;
  /** The tool call that it is part of, such as one that runs a subagent. */
  readonly parentId?: string | undefined;
  /** What it does, for display. */
  readonly title?: string | undefined;
  /** The tool's name. */
  readonly name?: string | undefined;
  /** The command line that it runs. */
  readonly command?: string | undefined;
  /** What identifies it in another run, such as a trace context: see `callMarks`. */
  readonly marks?: readonly string[] | undefined;
  /** The trace context that its request came with (W3C Trace Context). */
  readonly traceparent?: string | undefined;
  /** Its result, for display. */
  readonly result?: CallText | undefined;
  /** The file or address that it reads or changes, if a field has it. */
  readonly file?: string | undefined;
  /** Whether it runs a command, if the agent reports that without the command line. */
  readonly isCommand?: boolean | undefined;
  /** The line creates the call; false for updates of an unknown call. */
  readonly isNew?: boolean | undefined;
  /** The IDs of its terminals. */
  readonly terminals?: readonly string[] | undefined;
  readonly outcome?: ReportedOutcome | undefined;
  readonly exitCode?: number | undefined;
  /** The signal that killed its process, such as `SIGSEGV`. */
  readonly signal?: string | undefined;
  /** The error in its result. */
  readonly error?: string | undefined;
  /** The error of a subagent that it ran or waited for, according to fields. */
  readonly childError?: string | undefined;
  /** Its output or result, with line breaks. */
  readonly output?: string | undefined;
  /** The user had interrupted the turn. */
  readonly isInterrupted?: boolean | undefined;
  /** Duration reported by the agent, in milliseconds. */
  readonly took?: number | undefined;
  /** A subagent whose session isn't announced runs it. */
  readonly isSubagent?: boolean | undefined;
  readonly task?: TaskState | undefined;
  /** The user runs it. It isn't part of a turn. */
  readonly isUsers?: boolean | undefined;
  /** When its line was written by the agent's clock, in milliseconds since the epoch. */
  readonly time?: number | undefined;
}

/** A command in a terminal started or ended: in the agent's own terminal, or in one that the client runs for it (ACP "Terminals"). */
export interface TerminalFact extends InSession {
  readonly type: 'terminal';
  readonly id: string;
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Terminals are shown on their own, and not only in tool calls. */
  readonly isShown: boolean;
}

/** A hook ran: a program of the user's, or something like it, that the agent calls at one of its events. */
export interface HookFact extends InSession {
  readonly type: 'hook';
  /** `ended` may come alone. */
  readonly change: 'started' | 'ended';
  /** At most 200 characters. */
  readonly id: string;
  /** The agent's event, and what it is about: `PreToolUse:Bash`. */
  readonly name: string;
  /** The tool call that it is about. */
  readonly toolId?: string | undefined;
  /** `refused`: it blocked what it was asked about, or stopped the agent. */
  readonly outcome?: ReportedOutcome | undefined;
  readonly exitCode?: number | undefined;
  /** What it said: why it blocked, or else what it printed. */
  readonly output?: string | undefined;
  /** Set if it ran into its time limit. */
  readonly timeout?: HookTimeout | undefined;
  /** Duration reported by the agent, in milliseconds. */
  readonly took?: number | undefined;
}
