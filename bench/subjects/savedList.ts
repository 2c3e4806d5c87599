// Lists, filters and searches the sessions that agents saved below a home folder.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileRuns } from '../../src/past/files/fileRuns';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { parseSessionFilter } from '../../src/past/saved/list/sessionFilter';
import { savedSearchedSessions } from '../../src/search/searchedSession';
import { SessionSearch } from '../../src/search/sessionSearch';
import { nodeScan } from '../../src/search/textScan';
import { JournalFolder } from '../../src/wire/journal/journalFolder';

/** Milliseconds. */
export interface MeasuredStep {
  readonly name: string;
  readonly ms: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
  /** The event loop's longest pause: time, or CPU time if that is less, because other processes lengthen the former. */
  readonly pauseMs: number;
  /** How many were found. */
  readonly found: number;
}

export interface MeasuredList {
  readonly steps: readonly MeasuredStep[];
  /** Of all steps. */
  readonly cpuMs: number;
  readonly heapBytes: number;
  readonly peakRss: number;
}

const [home = '', now = ''] = process.argv.slice(2);
const cachePath = join(home, 'cache.json');
rmSync(cachePath, { force: true });
const steps: MeasuredStep[] = [];

async function step(name: string, work: () => Promise<number>): Promise<void> {
  let pauseMs = 0;
  let last = performance.now();
  const start = last;
  const cpu = process.cpuUsage();
  let used = cpu;
  let isDone = false;
  const turn = (): void => {
    const { user, system } = process.cpuUsage(used);
    pauseMs = Math.max(pauseMs, Math.min(performance.now() - last, (user + system) / 1000));
    last = performance.now();
    used = process.cpuUsage();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const found = await work();
  const ms = performance.now() - start;
  turn();
  isDone = true;
  const { user, system } = process.cpuUsage(cpu);
  steps.push({ name, ms, cpuMs: (user + system) / 1000, pauseMs, found });
}

const saved = made();
const agents = (await saved.agents()).map(({ agent }) => agent);
const count = async (of: SavedSessions, options = {}): Promise<number> => {
  const lists = await Promise.all(agents.map((agent) => of.list(agent, options)));
  return lists.reduce((sum, { sessions }) => sum + sessions.length, 0);
};
await step('group', () => count(saved, { limit: 1 }));
await step('page', () => count(saved, { limit: 50 }));
await step('again', () => count(saved, { limit: 50 }));
await step('folder', () => count(saved, { limit: 50, folders: ['/home/me/project7'], maxRead: 2500 }));
const filter = parseSessionFilter('outcome:failed');
await step('filter', () => count(saved, { limit: 50, maxRead: 2500, filter }));
await step('used', async () => {
  const used = await Promise.all(agents.map((agent) => saved.used(agent)));
  return used.reduce((sum, { sessions }) => sum + sessions, 0);
});
await saved.save();
await step('next window', () => count(made(), { limit: 50 }));
await step('search', async () => {
  const nowhere = new JournalFolder('/nowhere');
  const fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined }));
  const search = new SessionSearch({
    sessions: (signal) => savedSearchedSessions(saved, fileRuns, signal),
    scan: nodeScan,
    redactor: undefined,
    discard: (run) => fileRuns.discard(run),
  });
  let hits = 0;
  const onHits = (): unknown => hits++;
  await search.search('needle', { signal: new AbortController().signal, onHits, onProgress: () => undefined });
  search.dispose();
  return hits;
});
if (steps.some(({ name, found }) => name === 'page' && found === 0)) throw new Error('no saved session was found');
globalThis.gc?.();
const measured: MeasuredList = {
  steps,
  cpuMs: steps.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  heapBytes: process.memoryUsage().heapUsed,
  peakRss: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(measured), () => process.exit(0));

function made(): SavedSessions {
  return new SavedSessions({
    machine: { platform: process.platform, home, env: {} },
    redactor: undefined,
    cachePath,
    isAlive: () => Promise.resolve(false),
    now: () => Number(now),
  });
}
