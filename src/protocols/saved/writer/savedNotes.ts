import type { WireMessage } from '../../../wire/wireEvent';
import type { InterpreterSink } from '../../interpreter';

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: 'ok' | 'failed' | 'interrupted';
  /** Why it failed, in the agent's words. */
  readonly error?: string | undefined;
  /** ACP name: `end_turn`, `max_tokens`, `refusal`. */
  readonly stopReason?: string | undefined;
  /** Milliseconds. */
  readonly took?: number | undefined;
  /** True if it ends one of the agent's own commands, such as `/compact`. */
  readonly isCommand?: boolean;
}

/** The end of a tool call. */
export interface ToolEnd {
  /** `refused` by the user or a rule, `cancelled` while it ran; neither is a tool failure. */
  readonly outcome: 'ok' | 'failed' | 'refused' | 'cancelled';
  /** For a tool whose start wasn't recorded. */
  readonly title?: string | undefined;
  readonly exitCode?: number | undefined;
  /** Milliseconds. */
  readonly ms?: number | undefined;
  readonly output: string;
}

/** A failed attempt that the agent retries. */
export interface Retry {
  readonly attempt?: number | undefined;
  readonly max?: number | undefined;
  /** Milliseconds until the next attempt. */
  readonly inMs?: number | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  readonly why: string;
}

/** The session of a line, and its parent. */
export interface SavedSessionIds {
  readonly id: string;
  /** The session that started this one. */
  readonly parent?: string | undefined;
  /** A subagent's name. */
  readonly name?: string | undefined;
}

/** What a file says about its session. */
export interface SavedAbout {
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  /** The agent's working directory. */
  readonly folder?: string | undefined;
}

/** Receives what is read from a saved session. */
export interface SavedSink extends InterpreterSink {
  about?(sessionId: string, about: SavedAbout): void;
  /** Report only sessions and turns; skip all other records. */
  readonly isBrief?: boolean;
}

/** The start of a session, or of another run of it. */
export interface SavedStart extends SavedAbout {
  /** The agent's name. */
  readonly agent: string;
  /** More words; all but texts are left out. */
  readonly details?: readonly (string | false | undefined)[];
  readonly isResumed?: boolean;
}

/** A line, and the session that it belongs to. */
export interface Place {
  readonly event: WireMessage;
  readonly sessionId: string | undefined;
}
