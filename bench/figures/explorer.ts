import { execFileSync } from 'node:child_process';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { bundleHost, hostRun } from '../harness/hostRun';
import { median } from '../harness/sideBySide';
import type { MeasuredExplorer } from '../host/explorer';

/** The Log Explorer with a million records, in a real VS Code. */
export const explorer: Figure = async ({ quick, rounds }) => {
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { stdio: 'inherit' });
  await bundleHost();
  const all: MeasuredExplorer[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    all.push(await hostRun<MeasuredExplorer>('explorer', { AGENT_LOGS_BENCH_RECORDS: quick ? '100000' : '1000000' }));
  }
  const of = (value: (one: MeasuredExplorer) => number): number => median(all.map(value));
  const records = `${all[0]?.records ?? 0} records`;
  return [
    atMost(
      'explorer, script start to rows',
      of(({ rowsMs }) => rowsMs),
      300,
      'ms',
      `${records}; from the command ${of(({ openMs }) => openMs).toFixed(0)} ms`,
    ),
    atMost(
      'explorer, keystroke to first page',
      of(({ firstPageMs }) => firstPageMs),
      100,
      'ms',
      'the slowest of five filters',
    ),
    atMost(
      'explorer, keystroke to exact total',
      of(({ totalMs }) => totalMs),
      400,
      'ms',
      'likewise',
    ),
    atMost(
      'explorer, frames while scrolling, p95',
      of(({ frameP95 }) => frameP95),
      20,
      'ms',
    ),
    atMost(
      'explorer, heap of the page',
      of(({ heapMb }) => heapMb),
      40,
      'MB',
    ),
  ];
};
