import { codeCount, meaningOf, wantedCodes } from '../query/compiledQuery';
import type { KeyValues, Query, SeqValue, Term } from '../query/query';
import { fileTest, globTest, isProblem, passesLevel, passesSession, termGroups } from '../query/queryTest';
import { TextTest } from '../query/textTest';
import type { TimeReference, TimeValue } from '../query/timeValue';
import { timeEnd } from '../query/timeValue';
import type { ExplorerLog } from '../runLog/explorerRun';
import type { LeafTest } from '../runLog/leaf';

/** Tests of which a record must pass one, or none if they are negated. A record must pass all groups of a plan. */
export interface PlanGroup {
  readonly tests: readonly LeafTest[];
  readonly negated: boolean;
}

/** Cheap tests run first, so that expensive ones see fewer records. */
const costs: Readonly<Record<LeafTest['type'], number>> = { columns: 0, text: 1, raw: 2, regex: 3 };

/** @param now milliseconds since the epoch */
export function planOf({ terms }: Query, log: ExplorerLog, now: number): readonly PlanGroup[] {
  const times = timesOf(log, now);
  const groups = termGroups(terms).map(({ terms: same, negated }) => ({
    tests: testsOf(same, { log, times }),
    negated,
  }));
  const costOf = ({ tests }: PlanGroup): number => Math.max(...tests.map(({ type }) => costs[type]));
  return groups.sort((a, b) => costOf(a) - costOf(b));
}

/** What the times of a query of this log are relative to. */
export function timesOf(log: ExplorerLog, now: number): TimeReference {
  return { now, newest: Math.max(log.connection.lastAt, ...log.sessions.map(({ lastAt }) => lastAt)) };
}

/** Identifies a plan: equal plans have equal keys. */
export function planKey(plan: readonly PlanGroup[]): string {
  return JSON.stringify(plan.map(({ tests, negated }) => [negated, tests.map(({ key }) => key)]));
}

/** Whether the meaning of a query changes as time passes, or as calls end. */
export function isRelative({ terms }: Query): boolean {
  return terms.some(
    (term) =>
      term.key === 'file' ||
      ((term.key === 'since' || term.key === 'until') && term.values.some(({ type }) => type === 'ago')),
  );
}

interface Setting {
  readonly log: ExplorerLog;
  readonly times: TimeReference;
}

/** The tests for terms with the same key. */
function testsOf(terms: readonly Term[], setting: Setting): readonly LeafTest[] {
  const [first] = terms;
  switch (first?.key) {
    case undefined:
      return [];
    case 'text':
      return [textTest('text', first.text)];
    case 'regex': {
      const { source, ignoresCase } = first;
      return [{ type: 'regex', key: `regex:${ignoresCase ? 'i' : ''}:${source}`, source, ignoresCase }];
    }
    case 'raw':
      return valuesOf(terms, 'raw').map((text) => textTest('raw', text));
    case 'level':
    case 'kind':
    case 'is':
      return [codesTest(terms)];
    case 'since':
    case 'until':
      return [timeTest(valuesOf(terms, first.key), first.key, setting.times)];
    case 'session':
      return [sessionTest(valuesOf(terms, 'session'), setting.log)];
    case 'logger':
      return [loggerTest(valuesOf(terms, 'logger'))];
    case 'file':
      return [changesTest(valuesOf(terms, 'file'), setting.log)];
    case 'has':
      return [{ type: 'columns', key: 'data', mark: ({ page }, from, end, into) => page.markData(from, end, into) }];
    case 'seq':
      return [seqTest(valuesOf(terms, 'seq'))];
  }
}

type ValueOf<Key> = Extract<KeyValues, { readonly key: Key }>['values'][number];

function valuesOf<Key extends KeyValues['key']>(terms: readonly Term[], key: Key): readonly ValueOf<Key>[] {
  return terms.flatMap((term): readonly unknown[] => (term.key === key ? term.values : [])) as readonly ValueOf<Key>[];
}

function textTest(type: 'text' | 'raw', text: string): LeafTest {
  return { type, key: `${type}:${text.toLowerCase()}`, text: text.toLowerCase(), test: new TextTest(text) };
}

function codesTest(terms: readonly Term[]): LeafTest {
  const wanted = wantedCodes((fields) =>
    terms.some((term) => {
      if (term.key === 'level') return passesLevel(fields.level, term.values);
      return term.key === 'kind' ? term.values.includes(fields.kind) : isProblem(fields);
    }),
  );
  return {
    type: 'columns',
    key: `codes:${wanted.join('')}`,
    mark: ({ page }, from, end, into) => page.markCodes(wanted, from, end, into),
  };
}

function timeTest(values: readonly TimeValue[], key: 'since' | 'until', times: TimeReference): LeafTest {
  const end = timeEnd(key, values, times);
  const [first, last] = key === 'since' ? [end, Infinity] : [-Infinity, end];
  return {
    type: 'columns',
    key: `time:${first}:${last}`,
    mark: ({ page }, from, end, into) => page.markTimes(first, last, from, end, into),
  };
}

function sessionTest(names: readonly string[], log: ExplorerLog): LeafTest {
  const wanted = new Set<string | undefined>(
    log.sessions.filter((session) => passesSession(session, names)).map(({ id }) => id),
  );
  if (passesSession(undefined, names)) wanted.add(undefined);
  return {
    type: 'columns',
    key: `session:${JSON.stringify([...wanted].map((id) => id ?? null))}`,
    mark: ({ page, sessionId }, from, end, into) => {
      if (wanted.has(sessionId)) page.markAll(from, end, into);
    },
  };
}

function loggerTest(names: readonly string[]): LeafTest {
  const tests = names.map(globTest);
  return {
    type: 'columns',
    key: `logger:${JSON.stringify(names)}`,
    mark: ({ page }, from, end, into) => page.markLoggers((name) => tests.some((test) => test(name)), from, end, into),
  };
}

/** The records with which calls that changed such a file start and end. */
function changesTest(names: readonly string[], log: ExplorerLog): LeafTest {
  const test = fileTest(names);
  const calls = log.spans({ kinds: ['tool'] }).filter(({ changes }) => changes?.some(({ path }) => test(path)));
  const seqs = [...new Set(calls.flatMap(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]))].sort((a, b) => a - b);
  return {
    type: 'columns',
    // A call that ends later adds the record with which it started.
    key: `file:${JSON.stringify(names)}:${seqs.length}:${seqs.at(-1) ?? 0}`,
    mark: ({ page }, from, end, into) => {
      for (const seq of seqs) {
        if (seq < page.firstSeq || seq > page.lastSeq) continue;
        page.markAll(Math.max(from, page.firstAfter(seq - 1)), Math.min(end, page.firstAfter(seq)), into);
      }
    },
  };
}

function seqTest(ranges: readonly SeqValue[]): LeafTest {
  return {
    type: 'columns',
    key: `seq:${JSON.stringify(ranges)}`,
    mark: ({ page }, from, end, into) => {
      for (const { from: first = 0, to: last = Infinity } of ranges) {
        page.markAll(Math.max(from, page.firstAfter(first - 1)), Math.min(end, page.firstAfter(last)), into);
      }
    },
  };
}

/** Sums the counts of codes by a property of their level and kind. */
export function byCode<Value extends string>(
  counts: Uint32Array,
  valueOf: (meaning: ReturnType<typeof meaningOf>) => Value,
): ReadonlyMap<Value, number> {
  const sums = new Map<Value, number>();
  for (let code = 0; code < codeCount; code++) {
    const value = valueOf(meaningOf(code));
    sums.set(value, (sums.get(value) ?? 0) + (counts[code] ?? 0));
  }
  return sums;
}
