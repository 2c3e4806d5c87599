import { levels, rankOf, reaches } from '../level';
import type { Level } from '../level';
import type { RecordQuery } from './filter';
import type { LogRecord, RecordKind } from '../record';
import { kinds } from '../record';
import { TextTest } from './textTest';

const kindNumbers = Object.fromEntries(kinds.map((kind, number) => [kind, number])) as Record<RecordKind, number>;

/** A level and a kind as one number below 256, for a column of them. */
export function codeOf(level: Level, kind: RecordKind): number {
  return rankOf(level) * kinds.length + kindNumbers[kind];
}

/** What each code stands for. */
const meanings = levels.flatMap((level) => kinds.map((kind) => ({ level, kind })));
const none = { level: 'info', kind: 'log' } as const;

export function meaningOf(code: number): Pick<LogRecord, 'level' | 'kind'> {
  return meanings[code] ?? none;
}

/** So many codes there are. */
export const codeCount = meanings.length;

/** What a search asks of each record, without making an object of it first. */
export interface CompiledQuery {
  /** For each level and kind, by its code, 1 where it is wanted. */
  readonly wanted: Uint8Array;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since: number;
  /** With a higher number than this. */
  readonly after: number;
  /** And none above this. */
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

/** The table of what a test wants that looks at the level and the kind only. */
export function wantedCodes(test: (fields: Pick<LogRecord, 'level' | 'kind'>) => boolean): Uint8Array {
  return Uint8Array.from(meanings, (meaning) => (test(meaning) ? 1 : 0));
}

/** The table of what wants all. */
export const everything: Readonly<Uint8Array> = new Uint8Array(codeCount).fill(1);

/** All with these levels and kinds, numbered higher than `after` and no higher than `upTo`. */
export function wantedBetween(wanted: Uint8Array, after: number, upTo: number): CompiledQuery {
  return { wanted, since: -Infinity, after, upTo, text: undefined };
}
