import type { Level } from './level';
import type { Words } from './translator';

/**
 * What a record is about: `log` what the agent logged, `notice` what it wants the user to know, `stderr` a line of its standard
 * error, `activity` what it did, `lifecycle` how the run and its sessions come and go, `diagnosis` what we make of it, `wire` a raw line.
 */
export type RecordKind = (typeof kinds)[number];

/** Every kind that there is. */
export const kinds = ['log', 'notice', 'stderr', 'activity', 'lifecycle', 'diagnosis', 'wire'] as const;

/** One entry of a run's log, whatever protocol it came by. */
export interface LogRecord {
  /** The order of arrival in the run, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. For an entry of a log file, the entry's own time if it has one. */
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
  /** The message of a diagnosis in translatable form. Not enumerable: what is exported stays as it is. */
  readonly words?: RecordWords;
}

/** The problem, and what to do about it. */
export interface RecordWords {
  readonly what: Words;
  readonly advice?: Words;
}

/** A record before its run has numbered it, with the line (or lines) of the wire that it was read from. */
export interface RecordDraft extends Omit<LogRecord, 'seq'> {
  readonly raw?: string;
  /** The names that lead to `data` in `raw`, if that is one JSON object: then `data` needn't be kept twice. */
  readonly dataAt?: readonly string[];
  /** A `LineRecord` has one. */
  readonly chunk?: undefined;
}

/** Fields are set one by one: building a record with spreads takes ten times as long, and nearly every line becomes one. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
