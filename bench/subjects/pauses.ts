// Runs the commands that read a whole run over one of many records, and measures the event loop's longest pause in each. An expression as the
// second argument selects commands.
import { redactionWith } from '../../test/support/redaction';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../../src/query/parseQuery';
import { queryRun } from '../../src/runs/runQuery';
import { describeInMarkdown } from '../../src/explorer/record/recordTexts';
import { exportMatches } from '../../src/export/exportMatches';
import { exportRun } from '../../src/export/exportRun';
import { exportTrace } from '../../src/export/exportTrace';
import { english } from '../../src/text/translator';
import { FileRun } from '../../src/past/files/fileRun';
import { fileRunInfo } from '../../src/past/files/fileRunInfo';
import type { RunView } from '../../src/runLog/runView';
import { SessionSearch } from '../../src/search/sessionSearch';
import { nodeScan } from '../../src/search/textScan';
import { collectRun } from '../../src/share/collectRun';
import { describeSide } from '../../src/timeline/comparison';
import { ApiRun } from '../../src/ui/surfaces/api';
import { reportOf } from '../../src/ui/surfaces/commands/problemCommands';
import { sideOf } from '../../src/ui/surfaces/compare/subject';
import { describeOutput } from '../../src/ui/surfaces/records/documentTexts';
import { SpillFile } from '../../src/machine/spill/spillFolder';

/** Milliseconds. */
export interface MeasuredPause {
  readonly name: string;
  readonly pauseMs: number;
  readonly ms: number;
  /** How many records, spans or characters came out. */
  readonly found: number;
}

export interface MeasuredPauses {
  readonly records: number;
  readonly steps: readonly MeasuredPause[];
}

const [path = '', only = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
const { size, mtimeMs } = statSync(path);
const info = await fileRunInfo({ paths: [path], size, modifiedAt: mtimeMs }, 'past', () => undefined);
const spill = (): SpillFile =>
  new SpillFile({ path: join(folder, 'records'), maxBytes: 1024 ** 3, onProblem: (error) => console.error(error) });
const options = { level: 'debug', maxMemory: 28 * 1024 ** 2, redaction: redactionWith(), spill } as const;
const run = new FileRun(info, options);
await run.read();
/** The same without its file, such as one whose journal is off. */
const inMemory = Object.create(run, { journal: { value: undefined } }) as RunView;
const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
const steps: MeasuredPause[] = [];

async function step(name: string, work: () => Promise<number> | number): Promise<void> {
  if (!new RegExp(only).test(name)) return;
  let pauseMs = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  const start = last;
  let isDone = false;
  const turn = (): void => {
    const at = performance.now();
    const { user, system } = process.cpuUsage(used);
    // Other processes lengthen the time that passes, and V8's helpers the time that is used.
    pauseMs = Math.max(pauseMs, Math.min(at - last, (user + system) / 1000));
    last = performance.now();
    used = process.cpuUsage();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise(setImmediate);
  const found = await work();
  const ms = performance.now() - start;
  turn();
  isDone = true;
  steps.push({ name, pauseMs, ms, found });
}

const out = (name: string): string => join(folder, name);
async function exported(from: RunView, format: 'text' | 'jsonl' | 'journal'): Promise<number> {
  await exportRun(from, { path: out(format), format, redaction: undefined, token: never, onProgress: () => undefined });
  return statSync(out(format)).size;
}
async function traced(format: 'chrome' | 'otlp'): Promise<number> {
  await exportTrace(run, { path: out(format), format, now: run.log.connection.lastAt });
  return readFileSync(out(format)).length;
}
async function searched(text: string): Promise<number> {
  const session = { key: path, modifiedAt: mtimeMs, paths: [path], label: () => Promise.resolve({ title: 'Bench' }) };
  const search = new SessionSearch({
    sessions: () => Promise.resolve([{ ...session, open: () => Promise.resolve(run) }]),
    scan: nodeScan,
    redactor: undefined,
    discard: () => Promise.resolve(),
  });
  let hits = 0;
  const onHits = (found: { readonly hits: readonly unknown[] }): unknown => (hits += found.hits.length);
  await search.search(text, { signal: new AbortController().signal, onHits, onProgress: () => undefined });
  search.dispose();
  return hits;
}

const services: Parameters<typeof reportOf>[0] = {
  configuration: { ownRedaction: redactionWith() },
  checkUps: { lastReport: undefined },
  version: '0',
};
const api = new ApiRun(run, {} as unknown as ConstructorParameters<typeof ApiRun>[1]);
const part = { type: 'run' } as const;
const session = run.log.sessions[0]?.id ?? '';

await step('report', async () => (await reportOf(services, run)).length);
await step('output document', async () => (await describeOutput(run, true)).length);
await step('export as text', () => exported(run, 'text'));
await step('export as JSON', () => exported(run, 'jsonl'));
await step('export as journal', () => exported(run, 'journal'));
await step('export as text from memory', () => exported(inMemory, 'text'));
await step('export as JSON from memory', () => exported(inMemory, 'jsonl'));
await step('export of matches', () =>
  queryRun(run, parseQuery('level:error'), async (matches) => {
    await exportMatches(run, matches, {
      path: out('matches'),
      format: 'text',
      token: never,
      onProgress: () => undefined,
    });
    return statSync(out('matches')).size;
  }),
);
await step('share, collecting a run', async () => (await collectRun(run, { part, now: 1 })).records.length);
await step('share, collecting a session', async () => {
  const shared = await collectRun(run, { part: { type: 'session', sessionId: session }, now: 1 });
  return shared.records.length;
});
await step('API, records', () => api.records().length);
await step('API, records of a level', () => api.records({ minLevel: 'error' }).length);
await step('API, records with a word', () => api.records({ text: 'needle' }).length);
await step('API, query', async () => (await api.query('needle', { count: 1000 })).records.length);
await step('API, spans', () => api.spans().length);
await step('trace for Chrome', () => traced('chrome'));
await step('trace for OTLP', () => traced('otlp'));
await step('copy of a record', () => {
  const record = run.log.store.get(run.log.store.lastSeq >> 1);
  return record ? describeInMarkdown(record, run, english).length : 0;
});
await step('search for a word', () => searched('needle'));
await step('search with a filter', () => searched('needle level:error'));
await step('compare', async () => {
  const side = await sideOf(run, { run: run.id });
  return side ? (await describeSide(side, side)).text.length : 0;
});

for (const { name, found } of steps) if (found === 0) throw new Error(`${name}: nothing was found`);
const measured: MeasuredPauses = { records: run.log.store.held, steps };
process.stdout.write(JSON.stringify(measured));
await run.dispose();
rmSync(folder, { recursive: true, force: true });
