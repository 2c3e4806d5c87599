// Runs inside the extension host. Measures the Log Explorer with files of many records, spans and requests.
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import type { Frame } from 'playwright-core';
import * as vscode from 'vscode';
import type { AgentLogsApi } from '../../api/agent-logs';
import { ExplorerPage } from '../../test/suites/explorerPage';
import { Workbench } from '../../test/suites/workbench';

export interface MeasuredExplorer {
  readonly records: number;
  /** Milliseconds until the first rows: from the start of the page's script, and from the command. */
  readonly rowsMs: number;
  readonly openMs: number;
  /** Milliseconds from a keystroke until the new rows are drawn, and until the exact total is known, for the slowest filter. */
  readonly firstPageMs: number;
  readonly totalMs: number;
  readonly frameP95: number;
  /** What the page adds to the heap of its renderer, which VS Code's own page shares, after a garbage collection. */
  readonly heapMb: number;
  readonly turns: MeasuredTab;
  readonly wire: MeasuredTab;
}

/** The explorer of another file, opened at a tab. */
interface MeasuredTab {
  readonly rows: number;
  readonly rowsMs: number;
  readonly openMs: number;
  readonly frameP95: number;
}

/** A rare word, common words, levels, and an exclusion. */
const filters = ['needle', 'cache miss', 'level:warning', '-hit', 'request 12'];

export async function run(): Promise<void> {
  const records = Number(process.env['AGENT_LOGS_BENCH_RECORDS'] ?? 1_000_000);
  const path = join(tmpdir(), `agent-logs-bench-${process.pid}.ndjson`);
  await writeLog(path, records);
  await vscode.workspace
    .getConfiguration('agentLogs')
    .update('store.maxMemory', 1024, vscode.ConfigurationTarget.Workspace);
  const api = await vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs')!.activate();
  const opened = await api.open(vscode.Uri.file(path));
  while (opened.records({ limit: 1 })[0]?.seq !== records) await new Promise((resolve) => setTimeout(resolve, 100));

  const workbench = await Workbench.connect();
  const page = new ExplorerPage(workbench);
  const heapBefore = await heapOf(workbench);
  const began = performance.now();
  await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: opened.id });
  await page.ready();
  const openMs = performance.now() - began;
  const frame = await page.frame();
  const rowsMs = await rowsAfter(frame, 'rows');
  const times: [number, number][] = [];
  for (const filter of filters) {
    times.push(await frame.evaluate<[number, number]>(`(${typing})(${JSON.stringify(filter)})`));
  }
  await frame.evaluate(`(${typing})('')`);
  const frameP95 = await scrolled(frame, '[role=grid]');
  const heapMb = ((await heapOf(workbench)) - heapBefore) / 1e6;
  const turns = await openTab(api, page, 'turns');
  const wire = await openTab(api, page, 'wire');
  const measured: MeasuredExplorer = {
    records,
    rowsMs,
    openMs,
    firstPageMs: Math.max(...times.map(([first]) => first)),
    totalMs: Math.max(...times.map(([, total]) => total)),
    frameP95,
    heapMb,
    turns,
    wire,
  };
  writeFileSync(process.env['AGENT_LOGS_RESULTS'] ?? 'explorer.json', JSON.stringify(measured));
}

/** Milliseconds from the start of the page's script until the mark of its first rows. */
function rowsAfter(frame: Frame, mark: string): Promise<number> {
  return frame.evaluate<number>(
    `performance.getEntriesByName('${mark}')[0].startTime - performance.getEntriesByName('start')[0].startTime`,
  );
}

/** Reads a journal, and opens its explorer at a tab. */
async function openTab(api: AgentLogsApi, page: ExplorerPage, tab: 'turns' | 'wire'): Promise<MeasuredTab> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  const path = process.env[`AGENT_LOGS_BENCH_${tab.toUpperCase()}`] ?? '';
  const opened = await api.open(vscode.Uri.file(path));
  while (opened.state !== 'ended') await new Promise((resolve) => setTimeout(resolve, 100));
  const began = performance.now();
  await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: opened.id, tab });
  await page.locator(`#panel-${tab} [role=gridcell]`).first().waitFor();
  const openMs = performance.now() - began;
  const frame = await page.frame();
  const rows = await frame.evaluate<string>(
    `document.querySelector('#panel-${tab} [aria-rowcount]').getAttribute('aria-rowcount')`,
  );
  const rowsMs = await rowsAfter(frame, `${tab} rows`);
  return {
    rows: Number(rows),
    rowsMs,
    openMs,
    frameP95: await scrolled(frame, tab === 'turns' ? '#turn-grid' : '#wire-grid'),
  };
}

/** Scrolls a list, and returns the 95th percentile of the times between frames, in milliseconds. */
async function scrolled(frame: Frame, selector: string): Promise<number> {
  const gaps = await frame.evaluate<number[]>(`(${scrolling})('${selector}')`);
  gaps.sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length * 0.95)] ?? NaN;
}

/** The renderer's heap without garbage, in bytes. */
async function heapOf({ page }: Workbench): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  // What the first collection finalises is freed by the second.
  for (let round = 0; round < 2; round++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize;
}

async function writeLog(path: string, records: number): Promise<void> {
  const out = createWriteStream(path);
  const began = Date.UTC(2026, 0, 1);
  for (let n = 0; n < records; n += 1000) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const seq = n + i;
      const level = seq % 400 === 0 ? 'error' : seq % 50 === 0 ? 'warn' : 'info';
      const msg = `request ${seq}: cache ${seq % 3 === 0 ? 'miss' : 'hit'}${seq % 5000 === 0 ? ' needle' : ''}`;
      return JSON.stringify({
        time: new Date(began + seq * 20).toISOString(),
        level,
        logger: ['http', 'db', 'model'][seq % 3],
        msg,
        took: seq % 97,
      });
    });
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** Runs in the page: types a filter, and returns when its rows and its total were painted. */
const typing = `(text) => new Promise((resolve) => {
  const input = document.querySelector('#filter');
  const status = document.querySelector('[role=status]');
  const layer = document.querySelector('[role=grid] [role=presentation]');
  const before = layer.textContent;
  const countBefore = status.textContent;
  const began = performance.now();
  let first;
  const look = () => {
    const now = performance.now() - began;
    if (layer.textContent !== before && !layer.textContent.includes('\u2026')) first ??= now;
    const isCounted = status.textContent !== countBefore && !status.textContent.startsWith('\u2265');
    if ((first === undefined || !isCounted) && now < 10000) return;
    observers.forEach((observer) => observer.disconnect());
    resolve([first ?? now, now]);
  };
  // A message that is sent while a frame is prepared arrives when it is painted.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = look;
  const painted = () => port2.postMessage(undefined);
  const whenChanged = (element, act) => {
    const observer = new MutationObserver(act);
    observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
    return observer;
  };
  // Rows are drawn while a frame is prepared, the total before.
  const observers = [whenChanged(layer, painted), whenChanged(status, () => requestAnimationFrame(painted))];
  setTimeout(look, 10000);
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
})`;

/** Runs in the page: scrolls in both directions, and returns the times between frames. */
const scrolling = `(selector) => new Promise((resolve) => {
  const grid = document.querySelector(selector);
  const gaps = [];
  let last = performance.now();
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    const deltaY = gaps.length % 80 < 40 ? 180 : -180;
    // A browser doesn't scroll for a script's event.
    if (grid.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }))) grid.scrollTop += deltaY;
    if (gaps.length < 300) requestAnimationFrame(frame);
    else resolve(gaps.slice(1));
  };
  requestAnimationFrame(frame);
})`;
