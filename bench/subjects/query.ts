// Queries a run of many records like the explorer, with the store's default memory and a file for the rest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseQuery } from '../../src/query/parseQuery';
import { RecordStore } from '../../src/store/store';
import { logRecord } from '../../src/protocols/acp/logMessage';
import { RecordResult } from '../../src/matches/recordResult';
import { RegexWorker } from '../../src/machine/regexWorker';
import { RunLog } from '../../src/runLog/runLog';
import { SpillFile } from '../../src/machine/spill/spillFolder';

export interface MeasuredQuery {
  readonly query: string;
  readonly total: number;
  /** Until the newest page was known, and until the total was, in milliseconds. */
  readonly firstMs: number;
  readonly doneMs: number;
  /** 60 rows with their data, and 120 buckets of eight levels, in milliseconds. */
  readonly rowsMs: number;
  readonly histogramMs: number;
}

export interface MeasuredQueries {
  readonly records: number;
  readonly dropped: number;
  /** The real memory of the store, in bytes, and with the bitmaps of all queries. */
  readonly held: number;
  readonly heldWithBitmaps: number;
  /** Work between two turns of the event loop, in milliseconds: the 95th percentile over all queries, rows and histograms. */
  readonly sliceMs: number;
  readonly queries: readonly MeasuredQuery[];
}

const queries = [
  'level:error',
  'needle',
  'e',
  'the',
  'the -level:info',
  'needle level:warning',
  'needles',
  '/needle.*7$/',
] as const;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const folder = mkdtempSync(join(tmpdir(), 'query-'));
const regex = new RegexWorker();
const slices: number[] = [];
/** A turn of the event loop that does nothing takes less, in milliseconds. */
const idleTurn = 0.3;

const before = used();
const file = (): SpillFile =>
  new SpillFile({ path: join(folder, 'records'), maxBytes: 1024 ** 3, onProblem: (error) => console.error(error) });
const log = new RunLog(new RecordStore(28 * 1024 * 1024, file), 0);
await fill(process.argv[2] ?? '');
const held = used() - before;
for (const query of queries) (await measure(query)).result.dispose(); // warm-up
const results = [];
for (const query of queries) results.push(await measure(query));
const heldWithBitmaps = used() - before;
for (const { result } of results) result.dispose();
// Watching the event loop keeps a core busy, so that it would slow down what is timed.
const stopWatching = watchTurns();
for (const query of queries) (await measure(query)).result.dispose();
stopWatching();
slices.sort((a, b) => a - b);
const measured: MeasuredQueries = {
  records: log.store.held,
  dropped: log.store.dropped,
  held,
  heldWithBitmaps,
  sliceMs: slices[Math.floor(slices.length * 0.95)] ?? NaN,
  queries: results.map(({ figures }) => figures),
};
process.stdout.write(JSON.stringify(measured));
log.store.closeFile();
regex.dispose();
rmSync(folder, { recursive: true, force: true });

async function fill(path: string): Promise<void> {
  let start = 0;
  const bytes = readFileSync(path);
  for (let n = 0; start < bytes.length; n++) {
    const end = bytes.indexOf(10, start);
    const line = bytes.toString('utf8', start, end);
    start = end < 0 ? bytes.length : end + 1;
    const { params } = JSON.parse(line) as { readonly params: unknown };
    log.record(logRecord(params, n, line));
    if (n % 1000 !== 0) continue;
    log.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
  log.flush();
}

async function measure(query: string): Promise<{ result: RecordResult; figures: MeasuredQuery }> {
  const began = performance.now();
  let first = NaN;
  const result = new RecordResult(log, parseQuery(query), { now: () => log.connection.lastAt, regex });
  await new Promise<void>((resolve) => {
    result.onDidChange(({ isDone, total }) => {
      if (Number.isNaN(first) && (isDone || total >= 60)) first = performance.now() - began;
      if (isDone) resolve();
    });
  });
  const doneMs = performance.now() - began;
  const { total } = result.state;
  const rowsMs = await timed(() => result.rows(Math.max(0, total - 60), 60));
  const histogramMs = await timed(() => result.histogram(120));
  return { result, figures: { query, total, firstMs: first, doneMs, rowsMs, histogramMs } };
}

/** Notes how long each turn of the event loop takes. */
function watchTurns(): () => void {
  let last = performance.now();
  let next = setImmediate(turn);
  function turn(): void {
    const now = performance.now();
    if (now - last > idleTurn) slices.push(now - last);
    last = now;
    next = setImmediate(turn);
  }
  return () => clearImmediate(next);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function used(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
