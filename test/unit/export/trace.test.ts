import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withPauses } from '../../support/withPauses';
import type { Protocol } from '../../../src/wire/protocol';
import { chromeTrace } from '../../../src/export/chromeTrace';
import { otlpTrace } from '../../../src/export/otlpTrace';
import type { RunTrace } from '../../../src/export/chromeTrace';
import { JoinedCalls } from '../../../src/runLog/joins/joinedCalls';
import type { RunView } from '../../../src/runLog/runView';
import type { Span } from '../../../src/timeline/span';
import { rowsOf } from '../../support/columns';
import { WrittenRun } from '../../support/explorerWindow';
import { agentEvents, serverEvents } from '../../support/joinedRuns';
import { recordedSpans } from '../../support/recordedSpans';
import { eventsOf } from '../../diagnosis/recordings';
import { assertGolden } from '../../support/golden';
import { madeSpan as span } from '../../support/madeSpan';
import { receivedSpans } from '../../support/otlpReceiver';

type ChromeEvent = Readonly<Record<'name' | 'ph', string>> &
  Readonly<Record<'pid' | 'tid' | 'ts' | 'dur', number>> & { readonly args: Readonly<Record<string, unknown>> };
type OtlpSpan = Readonly<Record<'traceId' | 'spanId' | 'name', string>> & {
  readonly parentSpanId?: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: unknown }[];
};

const recordings: readonly [folder: string, file: string, protocol: Protocol][] = [
  ['transcripts', 'opencode-mock-ok.ndjson', 'acp'],
  ['streams', 'claude-permission.ndjson', 'stream-json'],
];

describe('trace export: recorded agents', () => {
  for (const [folder, file, protocol] of recordings) {
    it(`writes ${file} as a Chrome trace and as OTLP`, async () => {
      const trace = recorded(folder, file, protocol);
      const name = file.replace(/\.ndjson$/, '');
      assertGolden(join('test/golden/traces', `${name}.chrome.json`), indented(await chromeTrace(trace)));
      assertGolden(join('test/golden/traces', `${name}.otlp.json`), indented(await otlpTrace(trace)));
    });
  }
});

describe('trace export: published formats', () => {
  const long = traceOf(Array.from({ length: 10_000 }, (_, n) => span(`tool-${n}`, 'tool', n * 10, n * 10 + 5)));
  it('lets other work run in between while it writes a long run as a Chrome trace', async () => {
    const { traceEvents } = JSON.parse(await withPauses(() => chromeTrace(long))) as { traceEvents: ChromeEvent[] };
    assert.equal(traceEvents.filter(({ ph }) => ph === 'X').length, 10_000);
  });
  it('lets other work run in between while it writes a long run as OTLP', async () => {
    assert.equal(receivedSpans(await withPauses(() => otlpTrace(long))).length, 10_000);
  });

  const others = readdirSync('test/fixtures/acp').filter((file) => file.endsWith('.ndjson'));
  const all = [...recordings, ...others.map((file) => ['acp', file, 'acp'] as const)];
  for (const [folder, file, protocol] of all) {
    it(`writes ${file} according to the formats`, async () => {
      const trace = recorded(folder, file, protocol);
      assert.deepEqual(chromeMistakes(await chromeTrace(trace)), []);
      const received = receivedSpans(await otlpTrace(trace));
      assert.equal(received.length, trace.spans.length);
      assert.ok(received.every((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano)));
    });
  }
});

describe('trace export: Chrome', () => {
  it('nests the events of each thread, and puts parallel tool calls on separate threads', async () => {
    const tools = [span('tool-1', 'tool', 10, 60), span('tool-2', 'tool', 20, 80), span('tool-3', 'tool', 60, 90)];
    const events = await chromeEvents([span('turn-1', 'turn', 0, 100), ...tools]);
    assert.deepEqual(rowsOf(events, 'name', 'tid'), ['turn-1 1', 'tool-1 1', 'tool-2 2', 'tool-3 1']);
  });

  it('names threads by their shortened session ID', async () => {
    const text = await chromeTrace(traceOf([span('turn-1', 'turn', 0, 1, { sessionId: 'sess-0123456789abcdef' })]));
    assert.match(text, /session 89abcdef/);
    assert.doesNotMatch(text, /0123456789abcdef/);
  });

  it('ends open events now', async () => {
    const [open] = await chromeEvents([span('turn-1', 'turn', 400)]);
    assert.deepEqual([open?.ts, open?.dur, open?.args['outcome']], [400_000, 600_000, 'open']);
  });
});

describe('trace export: OTLP', () => {
  it('omits a parent that the run has evicted', async () => {
    const trace = traceOf([span('tool-1', 'tool', 10, 60, { parent: 'turn-1' })]);
    const [tool] = spansIn(await otlpTrace(trace));
    assert.equal(tool?.parentSpanId, undefined);
  });
});

describe('trace export: calls to MCP servers', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  function joinedRuns(meta: object = {}): readonly [agent: RunTrace, server: RunTrace] {
    const agent = new WrittenRun(agentEvents(), { id: 'agent' });
    const server = new WrittenRun(serverEvents(meta), { id: 'server', name: 'books', protocol: 'mcp' });
    agent.dispose();
    server.dispose();
    const joined = new JoinedCalls(() => [agent.view, server.view]);
    const traceFrom = (run: RunView): RunTrace => {
      return { runId: run.id, name: run.name, spans: run.log.spans(), now: 0, ends: joined.endsOf(run) };
    };
    return [traceFrom(agent.view), traceFrom(server.view)];
  }

  it('are arrows to a process of the server, and from one of the agent', async () => {
    const [agent, server] = joinedRuns();
    for (const [trace, names] of [
      [agent, ['Bookshop Agent', 'books']],
      [server, ['books', 'Bookshop Agent']],
    ] as const) {
      const json = await chromeTrace(trace);
      assert.deepEqual(chromeMistakes(json), []);
      const { traceEvents } = JSON.parse(json) as { traceEvents: ChromeEvent[] };
      const processes = traceEvents.filter(({ name }) => name === 'process_name').map(({ args }) => args['name']);
      assert.deepEqual(processes, names);
      const [start, end] = traceEvents.filter(({ ph }) => ph === 's' || ph === 'f');
      const around = ({ pid, tid, ts }: ChromeEvent): ChromeEvent | undefined =>
        traceEvents.findLast((one) => one.ph === 'X' && one.pid === pid && one.tid === tid && one.ts <= ts);
      assert.ok(start && end);
      assert.equal(around(start)?.name, 'mcp__books__find');
      assert.equal(around(end)?.name, 'find');
      assert.deepEqual(start.args, { joined: 'inferred' });
    }
  });

  it('are links between the spans of both exports', async () => {
    const [agent, server] = joinedRuns();
    const call = spansIn(await otlpTrace(agent)).find(({ name }) => name.startsWith('execute_tool'));
    const request = spansIn(await otlpTrace(server)).find(({ name }) => name === 'execute_tool find');
    assert.ok(call && request);
    assert.deepEqual(rowsOf(call.links, 'traceId', 'spanId'), rowsOf([request], 'traceId', 'spanId'));
    assert.deepEqual(rowsOf(request.links, 'traceId', 'spanId'), rowsOf([call], 'traceId', 'spanId'));
    assert.deepEqual(call.links[0]?.attributes, [{ key: 'agent_logs.joined_by', value: { stringValue: 'inferred' } }]);
  });

  it('are part of the trace that their request came with', async () => {
    const [, server] = joinedRuns({ traceparent });
    const [request] = spansIn(await otlpTrace(server));
    assert.deepEqual([request?.traceId, request?.parentSpanId], traceparent.split('-').slice(1, 3));
  });
});

/**
 * Violations of the Trace Event Format: the JSON object form, with complete (`X`), metadata (`M`) and flow events (`s`, `f`). Like Perfetto's importer, it
 * rejects events of a thread that overlap without nesting.
 */
function chromeMistakes(json: string): readonly string[] {
  const trace = JSON.parse(json) as Record<string, unknown>;
  const mistakes: string[] = [];
  if (!['ms', 'ns', undefined].includes(trace['displayTimeUnit'] as string)) mistakes.push('displayTimeUnit');
  const metadata = new Set(['process_name', 'process_sort_index', 'thread_name', 'thread_sort_index']);
  const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;
  for (const event of trace['traceEvents'] as Record<string, unknown>[]) {
    const { name, ph, pid, tid, ts, dur, cat, args } = event;
    const isNamed = typeof name === 'string' && (ph !== 'M' || metadata.has(name));
    const isPlaced = Number.isInteger(pid) && Number.isInteger(tid) && typeof args === 'object' && args !== null;
    const isFlow = (ph === 's' || ph === 'f') && isTime(ts) && Number.isInteger(event['id']);
    const isTimed = ph === 'M' || isFlow || (ph === 'X' && isTime(ts) && isTime(dur));
    if (!isNamed || !isPlaced || !isTimed || (ph !== 'M' && typeof cat !== 'string')) {
      mistakes.push(JSON.stringify(event));
    }
  }
  return [...mistakes, ...overlaps(trace['traceEvents'] as ChromeEvent[])];
}

function overlaps(events: readonly ChromeEvent[]): readonly string[] {
  const ends = new Map<number, number[]>();
  return [...events]
    .filter(({ ph }) => ph === 'X')
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur)
    .flatMap(({ name, tid, ts, dur }) => {
      const open = (ends.get(tid) ?? []).filter((end) => end > ts);
      ends.set(tid, [...open, ts + dur]);
      return open.every((end) => end >= ts + dur) ? [] : [`${name} overlaps on thread ${tid}`];
    });
}

function recorded(folder: string, file: string, protocol: Protocol): RunTrace {
  const path = join('test/fixtures', folder, file);
  return traceOf(recordedSpans(path, protocol), eventsOf(path, protocol).at(-1)?.t);
}

function traceOf(spans: readonly Span[], now = 1000): RunTrace {
  return { runId: 'run-1', name: 'Agent', spans, now };
}

async function chromeEvents(spans: readonly Span[]): Promise<readonly ChromeEvent[]> {
  const { traceEvents } = JSON.parse(await chromeTrace(traceOf(spans))) as { traceEvents: ChromeEvent[] };
  return traceEvents.filter(({ ph }) => ph === 'X');
}

function spansIn(json: string): readonly OtlpSpan[] {
  const request = JSON.parse(json) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
  return request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
}

function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), undefined, 1)}\n`;
}
