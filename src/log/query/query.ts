import type { Level } from '../level';
import type { RecordKind } from '../record';

/** A range in the text of a query, in UTF-16 units. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A level, and everything more severe unless it is exact. */
export interface LevelValue {
  readonly level: Level;
  readonly isExact: boolean;
}

/** A point in time as it is written in a query. */
export type TimeValue =
  /** A duration before now, in milliseconds: `10m`. */
  | { readonly type: 'ago'; readonly ms: number }
  /** Local time of day, in milliseconds since midnight: `12:04`. */
  | { readonly type: 'clock'; readonly ms: number }
  /** Milliseconds since the epoch: an ISO date, with or without a time. */
  | { readonly type: 'date'; readonly ms: number };

/** Record numbers, both included; absent ends are open. */
export interface SeqValue {
  readonly from?: number;
  readonly to?: number;
}

/** The values of one key; a record matches if it matches any of them. */
export type KeyValues =
  | { readonly key: 'level'; readonly values: readonly LevelValue[] }
  /** The last 8 characters of an id, a whole id, a title with `*` for anything, or `none`. */
  | { readonly key: 'session'; readonly values: readonly string[] }
  /** With `*` for anything. */
  | { readonly key: 'logger'; readonly values: readonly string[] }
  | { readonly key: 'kind'; readonly values: readonly RecordKind[] }
  | { readonly key: 'since' | 'until'; readonly values: readonly TimeValue[] }
  | { readonly key: 'is'; readonly values: readonly 'problem'[] }
  | { readonly key: 'has'; readonly values: readonly 'data'[] }
  /** Part of the line of the wire, in any case. */
  | { readonly key: 'raw'; readonly values: readonly string[] }
  | { readonly key: 'seq'; readonly values: readonly SeqValue[] };

/** Part of the message or the logger, in any case. */
export interface TextTerm {
  readonly key: 'text';
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A regular expression over the message or the logger. */
export interface RegexTerm {
  readonly key: 'regex';
  readonly source: string;
  readonly ignoresCase: boolean;
}

/** What a record must match, or must not match if it is negated. */
export type Term = (KeyValues | TextTerm | RegexTerm) & { readonly negated: boolean; readonly range: SourceRange };

export type QueryKey = KeyValues['key'];

/** All keys, in the order of suggestions. */
export const queryKeys: readonly QueryKey[] = [
  'level',
  'session',
  'logger',
  'kind',
  'since',
  'until',
  'is',
  'has',
  'raw',
  'seq',
];

/** A part of a query that probably doesn't mean what the user expects. */
export interface QueryHint {
  /**
   * `unknownKey` and `badValue`: the term is searched for as text. `noValue`: it is ignored. `badRegex` and `longRegex`: the
   * expression can't be used, and nothing is found.
   */
  readonly type: 'unknownKey' | 'badValue' | 'noValue' | 'badRegex' | 'longRegex';
  readonly key?: string;
  /** The value that can't be used, or why an expression is invalid. */
  readonly value?: string;
  readonly range: SourceRange;
}

/** A parsed query: a record has to match all terms, but of positive terms with the same key only one. */
export interface Query {
  readonly terms: readonly Term[];
  readonly hints: readonly QueryHint[];
}

/** Maximum length of a regular expression, in UTF-16 units. */
export const maxRegexLength = 200;
