import type { Level, Threshold } from '../text/level';
import { levels, rankOf, reaches } from '../text/level';
import type { LogRecord, RecordKind } from '../text/record';
import { kinds } from '../text/record';
import { TextTest } from './textTest';

const kindNumbers = Object.fromEntries(kinds.map((kind, number) => [kind, number])) as Record<RecordKind, number>;

const logNumber = kindNumbers.log;

/** A level and a kind as one number below 256, for a column of them. */
export function codeOf(level: Level, kind: RecordKind): number {
  return rankOf(level) * kinds.length + (kind === 'log' ? logNumber : kindNumbers[kind]);
}

/** Level and kind by code. */
const meanings = levels.flatMap((level) => kinds.map((kind) => ({ level, kind })));
const none = { level: 'info', kind: 'log' } as const;

export function meaningOf(code: number): Pick<LogRecord, 'level' | 'kind'> {
  return meanings[code] ?? none;
}

/** Number of codes. */
export const codeCount = meanings.length;

/** Which records to return. Absent fields don't restrict. */
export interface RecordQuery {
  /** Records of one session; `null` for records without a session. */
  readonly sessionId?: string | null | undefined;
  readonly minLevel?: Threshold | undefined;
  readonly kinds?: readonly RecordKind[] | undefined;
  /** Part of the message or the logger, ignoring case. */
  readonly text?: string | undefined;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Maximum number of records; the newest are kept. */
  readonly limit?: number | undefined;
}

/** A query that is tested on columns, without creating record objects. */
export interface CompiledQuery {
  /** 1 for each code whose level and kind are wanted. */
  readonly wanted: Uint8Array;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since: number;
  /** Only records with a higher number. */
  readonly after: number;
  /** Only records up to this number. */
  readonly upTo: number;
  readonly text: TextTest | undefined;
}

export function compiled(query: RecordQuery): CompiledQuery {
  const { minLevel, kinds: some, since = -Infinity, text = '' } = query;
  return {
    wanted: wantedCodes(
      ({ level, kind }) => (minLevel === undefined || reaches(level, minLevel)) && (some?.includes(kind) ?? true),
    ),
    since,
    after: 0,
    upTo: Infinity,
    text: text === '' ? undefined : new TextTest(text),
  };
}

/** A table with 1 for each code whose level and kind pass a test. */
export function wantedCodes(test: (fields: Pick<LogRecord, 'level' | 'kind'>) => boolean): Uint8Array {
  return Uint8Array.from(meanings, (meaning) => (test(meaning) ? 1 : 0));
}

/** The table that accepts every code. */
export const everything: Readonly<Uint8Array> = new Uint8Array(codeCount).fill(1);

/** Matches all records of some codes whose number is above `after` and at most `upTo`. */
export function wantedBetween(wanted: Uint8Array, after: number, upTo: number): CompiledQuery {
  return { wanted, since: -Infinity, after, upTo, text: undefined };
}
