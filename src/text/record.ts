import type { Level } from './level';
import type { Words } from './translator';

/**
 * What a record is: `log` a message that the agent logged, `notice` one for the user, `stderr` a line of stderr, `activity` an action of the
 * agent, `lifecycle` a change of the run or a session, `diagnosis` a problem that we found, `wire` a raw line.
 */
export type RecordKind = (typeof kinds)[number];

export const kinds = ['log', 'notice', 'stderr', 'activity', 'lifecycle', 'diagnosis', 'wire'] as const;

/** What a record's text is if it is nothing else: the user's prompt, the agent's answer, what a tool got and gave, or a line of no protocol. */
export const recordContents = ['prompt', 'answer', 'tool', 'output'] as const;
export type RecordContent = (typeof recordContents)[number];

/** An entry of a run's log, for all protocols. */
export interface LogRecord {
  /** The order of arrival in the run, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. For an entry of a log file, the entry's own time if it has one. */
  readonly receivedAt: number;
  /** The agent's own timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly level: Level;
  readonly kind: RecordKind;
  /** Absent if it concerns the whole connection. */
  readonly sessionId?: string;
  /** The part of the agent that logged it. */
  readonly logger?: string;
  readonly message: string;
  /** Any JSON value that came with the message. */
  readonly data?: unknown;
  /** Absent if the text may quote anything. Not enumerable, so that it isn't exported. */
  readonly content?: RecordContent;
  /** The message of a diagnosis in translatable form. Not enumerable, so that it isn't exported. */
  readonly words?: RecordWords;
}

/** The problem, and what to do about it. */
export interface RecordWords {
  readonly what: Words;
  readonly advice?: Words;
}

/** A record without a number yet, with the line or lines that it was read from. */
export interface RecordDraft extends Omit<LogRecord, 'seq'> {
  readonly raw?: string;
  /** The path to `data` in `raw`, if that is one JSON object, so that `data` isn't stored twice. */
  readonly dataAt?: readonly string[];
  /** Distinguishes it from a `LineRecord`. */
  readonly chunk?: undefined;
}

/** For setting fields one by one: nearly every line becomes a record, and spreads take ten times as long. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
