import type { Completion } from '../../log/query/completion';
import { completeIn } from '../../log/query/completion';
import { anyText } from '../../log/query/language';
import { globTest } from '../../log/query/queryTest';
import type { TokenBody } from '../../log/query/queryTokens';
import { queryTokens } from '../../log/query/queryTokens';
import type { Units } from '../../log/query/rangeValue';
import { isWithin, parseRange, timeUnits } from '../../log/query/rangeValue';
import type { SpanRow } from '../../ui/explorer/messages';

const keys = ['tool', 'status', 'took', 'tokens', 'kind', 'session'] as const;
type Key = (typeof keys)[number];

/** @param now the end of what is still open, in milliseconds since the epoch */
type Test = (row: SpanRow, now: number) => boolean;

/** A filter of the Turns tab. */
export interface TurnFilter {
  readonly passes: Test;
  /** Keys that don't exist; they are searched for as text. */
  readonly unknown: readonly string[];
  /** Values that their keys can't have; they are searched for as text. */
  readonly bad: readonly { readonly key: string; readonly value: string }[];
}

const outcomes: readonly SpanRow['outcome'][] = ['ok', 'error', 'cancelled', 'refused', 'unanswered', 'open'];
const kinds: readonly SpanRow['kind'][] = ['turn', 'tool', 'permission', 'subagent', 'compaction'];
const tokenUnits: Units = { '': 1, k: 1000, m: 1_000_000 };

/** Parses a filter: all terms must match, but of positive terms with the same key only one. Never throws. */
export function turnFilter(text: string): TurnFilter {
  const all: Test[] = [];
  const alternatives = new Map<Key, Test[]>();
  const unknown: string[] = [];
  const bad: { key: string; value: string }[] = [];
  for (const { negated, body } of queryTokens(text)) {
    const key = body.type === 'keyed' ? keyOf(body.key) : undefined;
    if (body.type === 'keyed' && !key) unknown.push(body.key);
    if (body.type === 'keyed' && key) {
      const value = body.values.find((one) => !valuesTest(key, [one]));
      if (value !== undefined) bad.push({ key, value });
    }
    if (body.type === 'keyed' && key && body.values.length === 0) continue; // it is still being typed
    const test = (body.type === 'keyed' && key && valuesTest(key, body.values)) || textTest(sourceOf(body));
    if (negated) all.push((row, now) => !test(row, now));
    else if (key && key !== 'took' && key !== 'tokens') alternatives.set(key, [...(alternatives.get(key) ?? []), test]);
    else all.push(test);
  }
  for (const tests of alternatives.values()) all.push((row, now) => tests.some((test) => test(row, now)));
  return { passes: (row, now) => all.every((test) => test(row, now)), unknown, bad };
}

/** The rows that pass, and what they are part of. */
export function withParents(rows: readonly SpanRow[], passes: (row: SpanRow) => boolean): readonly SpanRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const kept = new Set<string>();
  for (const row of rows) {
    if (!passes(row)) continue;
    for (let at: SpanRow | undefined = row; at && !kept.has(at.id); at = byId.get(at.parent)) kept.add(at.id);
  }
  return rows.filter(({ id }) => kept.has(id));
}

/** Suggests keys, and the values that the rows have. */
export function completeTurns(rows: readonly SpanRow[], text: string, caret: number): readonly Completion[] {
  const valuesOf = (key: Key): readonly string[] => {
    switch (key) {
      case 'tool':
        return distinct(rows.map(({ tool }) => tool));
      case 'session':
        return distinct(rows.map(({ session }) => session));
      case 'status':
        return outcomes;
      case 'kind':
        return kinds;
      case 'took':
        return ['>1s', '>10s', '>1m'];
      case 'tokens':
        return ['>1k', '>10k', '>100k'];
    }
  };
  const language = { keys: Object.fromEntries(keys.map((key) => [key, anyText])) as Record<Key, typeof anyText> };
  return completeIn(language, (key) => valuesOf(key).map((value) => ({ value })), text, caret);
}

function keyOf(name: string): Key | undefined {
  return keys.find((key) => key === name.toLowerCase());
}

/** `undefined` if any value is invalid. */
function valuesTest(key: Key, values: readonly string[]): Test | undefined {
  switch (key) {
    case 'tool': {
      const globs = values.map(globTest);
      return ({ tool }) => tool !== '' && globs.some((glob) => glob(tool));
    }
    case 'session': {
      const globs = values.map(globTest);
      return ({ session, sessionKey }) => globs.some((glob) => glob(session) || glob(sessionKey));
    }
    case 'status':
      return oneOf(values, outcomes, ({ outcome }) => outcome);
    case 'kind':
      return oneOf(values, kinds, ({ kind }) => kind);
    case 'took':
      return within(values, timeUnits, ({ start, end }, now) => (end < 0 ? now : end) - start);
    case 'tokens':
      return within(values, tokenUnits, ({ tokenCount }) => tokenCount);
  }
}

function oneOf(values: readonly string[], known: readonly string[], of: (row: SpanRow) => string): Test | undefined {
  const asked = values.map((value) => value.toLowerCase());
  return asked.every((value) => known.includes(value)) ? (row) => asked.includes(of(row)) : undefined;
}

function within(values: readonly string[], units: Units, of: (row: SpanRow, now: number) => number): Test | undefined {
  const ranges = values.flatMap((value) => parseRange(value.toLowerCase(), units) ?? []);
  return ranges.length === values.length ? (row, now) => isWithin(of(row, now), ranges) : undefined;
}

function textTest(text: string): Test {
  const wanted = text.toLowerCase();
  return ({ title, tool, detail }) => [title, tool, detail].some((one) => one.toLowerCase().includes(wanted));
}

function sourceOf(body: TokenBody): string {
  return body.type === 'word' || body.type === 'quoted' ? body.text : body.source;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').sort();
}
