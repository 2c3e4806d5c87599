import type { Level } from './level';

/**
 * What a record tells of: `log` what the agent logged, `notice` what it wants the person to know, `stderr` a line of its standard
 * error, `activity` what it did, `lifecycle` how the run and its sessions come and go, `diagnosis` what we make of it, `wire` a raw line.
 */
export type RecordKind = (typeof kinds)[number];

/** Every kind that there is. */
export const kinds = ['log', 'notice', 'stderr', 'activity', 'lifecycle', 'diagnosis', 'wire'] as const;

/** One entry of a run's log, whatever protocol it came by. */
export interface LogRecord {
  /** The order of arrival in the run, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. Of an entry of a log file, that of the entry, where it has one. */
  readonly receivedAt: number;
  /** The agent's own timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly level: Level;
  readonly kind: RecordKind;
  /** Absent for what concerns the whole connection. */
  readonly sessionId?: string;
  /** The part of the agent that speaks. */
  readonly logger?: string;
  readonly message: string;
  /** Any JSON value that came with the message. */
  readonly data?: unknown;
}

/** A record before its run has numbered it, with the line (or lines) of the wire that it was read from. */
export interface RecordDraft extends Omit<LogRecord, 'seq'> {
  readonly raw?: string;
  /** The names that lead to `data` in `raw`, where that is one JSON object which has it: then it need not be kept twice. */
  readonly dataAt?: readonly string[];
  /** A `LineRecord` has one. */
  readonly chunk?: undefined;
}

/** What is known by and by is set as it is: leaving it out with spreads takes ten times as long, and most of what comes is a record. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
