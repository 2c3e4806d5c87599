import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { requestsJournal, turnsJournal } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { bundleHost, hostRun } from '../harness/hostRun';
import { median } from '../harness/sideBySide';
import type { MeasuredExplorer } from '../host/explorer';

/** The Log Explorer with a million records, 10,000 spans, and 100,000 requests, in a real VS Code. */
export const explorer: Figure = async ({ quick, rounds }) => {
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { stdio: 'inherit' });
  await bundleHost();
  const all: MeasuredExplorer[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    all.push(
      await hostRun<MeasuredExplorer>('explorer', {
        AGENT_LOGS_BENCH_RECORDS: quick ? '100000' : '1000000',
        AGENT_LOGS_BENCH_TURNS: resolve(turnsJournal(quick ? 1000 : 10_000)),
        AGENT_LOGS_BENCH_WIRE: resolve(requestsJournal(quick ? 10_000 : 100_000)),
      }),
    );
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
      17,
      'ms',
    ),
    atMost(
      'explorer, heap of the page',
      of(({ heapMb }) => heapMb),
      40,
      'MB',
    ),
    ...(['turns', 'wire'] as const).map((tab) =>
      atMost(
        `explorer, ${tab === 'turns' ? 'Turns' : 'Wire'}, script start to rows`,
        of((one) => one[tab].rowsMs),
        300,
        'ms',
        `${all[0]?.[tab].rows ?? 0} rows; from the command ${of((one) => one[tab].openMs).toFixed(0)} ms`,
      ),
    ),
    ...(['turns', 'wire'] as const).map((tab) =>
      atMost(
        `explorer, ${tab === 'turns' ? 'Turns' : 'Wire'}, frames while scrolling, p95`,
        of((one) => one[tab].frameP95),
        17,
        'ms',
      ),
    ),
  ];
};
