import type { Level } from '../../../log/level';
import type { RecordKind } from '../../../log/record';
import type { WireMessage } from '../../../wire/wireEvent';
import type { InterpreterSink } from '../../interpreter';

/** A record of a saved session. */
export interface Note {
  readonly level: Level;
  /** Default: `activity`. */
  readonly kind?: RecordKind;
  readonly logger?: string;
  readonly message: string;
  readonly data?: unknown;
  /** Milliseconds since the epoch, if different from the line's. */
  readonly at?: number;
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
  readonly at?: number | undefined;
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
  readonly details?: readonly string[];
  readonly isResumed?: boolean;
}

/** A line, and the session that it belongs to. */
export interface Place {
  readonly event: WireMessage;
  readonly sessionId: string | undefined;
}
