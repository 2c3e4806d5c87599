import type { Level } from '../../text/level';
import { levels, parseLevel } from '../../text/level';
import { parseQuery } from '../../query/parseQuery';
import { recordLanguage } from '../../query/query';
import { turnLanguage } from '../../explorer/turns/turnQuery';
import { UsageError } from '../usageError';
import { queryMistake } from './queryMistake';

/** What a run must be like. */
export type Expectation = {
  /** For the report; default: what it expects. */
  readonly name?: string;
} & (
  | ({ readonly type: 'records' | 'spans'; readonly query: string } & Bounds)
  /** No diagnosis of this level and above that still holds. */
  | { readonly type: 'noProblems'; readonly level: Level }
  /** The same steps as another run: a file, or the end of a session's ID. */
  | { readonly type: 'compare'; readonly other: string }
);

/** How many must match. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** An expectation as it is written, in a file of checks or on the command line. */
export interface WrittenExpectation {
  readonly name?: string | undefined;
  readonly expect?: string | undefined;
  readonly spans?: string | undefined;
  readonly noProblems?: string | undefined;
  readonly compare?: string | undefined;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
}

/** What an expectation is about; each has exactly one of them. */
export const subjects = ['expect', 'spans', 'noProblems', 'compare'] as const;

/**
 * Reads an expectation.
 * @param where where it stands, for errors
 * @throws UsageError
 */
export function expectationOf(written: WrittenExpectation, where: string): Expectation {
  const wrong = (what: string): UsageError => new UsageError(`${where}: ${what}`);
  const [subject, ...more] = subjects.filter((name) => written[name] !== undefined);
  if (subject === undefined) throw wrong(`say what is expected: ${subjects.join(', ')}.`);
  if (more.length > 0) throw wrong(`"${subject}" and "${more.join('", "')}" are expectations of their own.`);
  const { name } = written;
  const [min, max] = (['min', 'max'] as const).map((key) =>
    written[key] === undefined ? undefined : countOf(written[key], `${where}: "${key}"`),
  );
  const text = written[subject] ?? '';
  const named = name === undefined ? {} : { name };
  const isCounted = subject === 'expect' || subject === 'spans';
  if (!isCounted && (min !== undefined || max !== undefined)) {
    throw wrong(`"min" and "max" are for "expect" and "spans", not for "${subject}".`);
  }
  if (min !== undefined && max !== undefined && min > max) throw wrong(`"min" is above "max".`);
  switch (subject) {
    case 'expect':
    case 'spans': {
      const mistake = subject === 'expect' ? queryMistake(text, recordLanguage) : queryMistake(text, turnLanguage);
      if (mistake !== undefined) throw wrong(mistake);
      const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
      const isBounded = min !== undefined || max !== undefined;
      if (min === 0 && max === undefined) throw wrong('"min" of 0 always holds. Give "max", or a "min" from 1.');
      if (!isBounded && isEverything(text)) {
        throw wrong('the query is empty, so anything matches it. Say what to find, or how many with "min" or "max".');
      }
      const type = subject === 'expect' ? 'records' : 'spans';
      return { ...named, type, query: text, ...(isBounded ? bounds : { min: 1 }) };
    }
    case 'noProblems': {
      const level = parseLevel(text);
      if (!level) throw wrong(`there is no level "${text}". The levels are ${levels.join(', ')}.`);
      return { ...named, type: 'noProblems', level };
    }
    case 'compare':
      if (text === '') throw wrong('"compare" names a file or a saved session.');
      return { ...named, type: 'compare', other: text };
  }
}

/** Whether a query has no terms. Quotes without a text are none. */
function isEverything(query: string): boolean {
  return parseQuery(query).terms.length === 0;
}

/**
 * Reads a number of matches.
 * @throws UsageError
 */
function countOf(value: number | string, what: string): number {
  const count = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`${what} is not a whole number from 0.`);
  return count;
}

/** `at most 3 spans match "kind:tool took:>10s"` */
export function titleOf(expectation: Expectation): string {
  if (expectation.name !== undefined) return expectation.name;
  switch (expectation.type) {
    case 'records':
    case 'spans':
      return `${boundsText(expectation)} match ${JSON.stringify(expectation.query)}`;
    case 'noProblems':
      return `no problem of level ${expectation.level} or above`;
    case 'compare':
      return `the same steps as ${expectation.other}`;
  }
}

function boundsText({ type, min, max }: Bounds & { readonly type: 'records' | 'spans' }): string {
  const counted = (count: number): string => (count === 1 ? `1 ${type.slice(0, -1)}` : `${count} ${type}`);
  if (max === 0) return `no ${type}`;
  if (max === undefined) return `at least ${counted(min ?? 1)}`;
  if (min === undefined) return `at most ${counted(max)}`;
  return min === max ? `exactly ${counted(min)}` : `${min} to ${max} ${type}`;
}
