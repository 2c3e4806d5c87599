import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spanSignal } from '../../../../src/otlp/otlpSender';
import { usageFrom } from '../../../../src/work/usage/usageCounts';
import { arrayOf, isObject, objectOf } from '../../../../src/text/json';
import { Exported } from '../../../support/exportedRuns';
import { makeSavedHome } from '../../../support/savedHome';

const folder = 'samples/otlp';
const dashboards = readdirSync(folder).filter((file) => file.endsWith('.json'));
/** Columns of the tables that the collector's exporter for ClickHouse makes, beside those with attributes. */
const columns: Readonly<Record<string, readonly string[]>> = {
  otel_traces: [
    ...['Timestamp', 'TraceId', 'SpanId', 'ParentSpanId', 'SpanName', 'ServiceName', 'ScopeName', 'Duration'],
    ...['ResourceAttributes', 'SpanAttributes'],
  ],
  otel_logs: [
    ...['Timestamp', 'TraceId', 'SpanId', 'SeverityText', 'ServiceName', 'Body', 'ScopeName'],
    ...['ResourceAttributes', 'LogAttributes'],
  ],
};

type Names = ReadonlyMap<string, ReadonlySet<string>>;

describe('dashboards for a collector', () => {
  let known: Readonly<Record<string, Names>>;
  before(async () => {
    const home = mkdtempSync(join(tmpdir(), 'agent-logs-samples-'));
    const exported = new Exported();
    makeSavedHome(home);
    await exported.exportHome(home);
    rmSync(home, { recursive: true, force: true });
    // The samples don't report everything that agents can.
    const toSpan = spanSignal.converter({ attributes: {}, raw: () => undefined });
    for (const basis of ['turn', 'cumulative'] as const) {
      const usage = { ...usageFrom(() => 1), basis };
      const times = { startedAt: 0, endedAt: 1, firstSeq: 1, lastSeq: 1 };
      exported.spans.push(toSpan({ id: 'turn-1', kind: 'turn', title: '', ...times, usage })!);
    }
    const { records, spans } = exported;
    known = {
      SpanAttributes: valuesOf(spans.map(({ attributes }) => attributes)),
      LogAttributes: valuesOf(records.map(({ attributes }) => attributes)),
      ResourceAttributes: valuesOf([...spans, ...records].map(({ resource }) => resource.attributes)),
    };
  });

  it('are two', () => assert.equal(dashboards.length, 2));

  for (const file of dashboards) {
    it(`read only what is exported: ${file}`, () => {
      const queries = queriesIn(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      assert.ok(queries.length >= 3);
      const wrong = queries.flatMap((query) => [...wrongNames(query, known), ...wrongColumns(query)]);
      assert.deepEqual(wrong, []);
    });

    it(`count nothing twice that came twice: ${file}`, () => {
      for (const query of queriesIn(JSON.parse(readFileSync(join(folder, file), 'utf8')))) {
        const isList = /^SELECT DISTINCT/.test(query);
        assert.ok(isList || /LIMIT 1 BY (?:TraceId, SpanId|LogAttributes\['log\.record\.uid'\])/.test(query), query);
      }
    });
  }

  it('would be found out if they read anything else', () => {
    const query = "SELECT Body FROM otel_traces WHERE SpanAttributes['gen_ai.usage.prompt_tokens'] = '1'";
    assert.deepEqual(wrongNames(query, known), ["SpanAttributes['gen_ai.usage.prompt_tokens'] = '1'"]);
    assert.deepEqual(wrongColumns(query), ['Body of otel_traces']);
    const value = "SELECT 1 FROM otel_traces WHERE SpanAttributes['agent_logs.kind'] = 'turns'";
    assert.deepEqual(wrongNames(value, known), ["SpanAttributes['agent_logs.kind'] = 'turns'"]);
  });

  it('get their data from the tables that the sample of a collector writes', () => {
    const config = readFileSync(join(folder, 'collector.yaml'), 'utf8');
    for (const table of Object.keys(columns)) assert.match(config, new RegExp(`_table_name: ${table}\\b`));
  });

  it('are not packaged', () => {
    assert.doesNotMatch(readFileSync('.vscodeignore', 'utf8'), /!samples/);
  });
});

/** All SQL in a dashboard, of panels and variables. */
function queriesIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const look = (one: unknown): void => {
    for (const item of arrayOf(one)) look(item);
    for (const item of Object.values(objectOf(one))) {
      if (typeof item === 'string' && /^(?:SELECT|WITH)\b/.test(item)) texts.push(item);
      else if (isObject(item) || Array.isArray(item)) look(item);
    }
  };
  look(value);
  return texts;
}

/** Attributes, and values to which they are compared, that aren't exported. */
function wrongNames(query: string, known: Readonly<Record<string, Names>>): readonly string[] {
  return [...query.matchAll(/(\w+Attributes)\['([^']+)'\](?: = '([^'$]+)')?/g)].flatMap(
    ([whole, column = '', name = '', value]) => {
      const values = known[column]?.get(name);
      return values && (value === undefined || values.has(value)) ? [] : [whole];
    },
  );
}

function wrongColumns(query: string): readonly string[] {
  const tables = [...query.matchAll(/\botel_\w+/g)].map(([table]) => table);
  const used = [...query.matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)*\b/g)].map(([word]) => word);
  return tables.flatMap((table) => {
    const unknown = [...new Set(used)].filter((name) => columns[table]?.includes(name) !== true);
    return unknown.map((name) => `${name} of ${table}`);
  });
}

function valuesOf(all: readonly Readonly<Record<string, unknown>>[]): Names {
  const values = new Map<string, Set<string>>();
  for (const attributes of all) {
    for (const [name, value] of Object.entries(attributes)) {
      const known = values.get(name) ?? new Set();
      values.set(name, known.add(String(value)));
    }
  }
  return values;
}
