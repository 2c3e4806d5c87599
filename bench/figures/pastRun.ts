import { statSync } from 'node:fs';
import { journal } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atLeast, atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredPastRun } from '../subjects/pastRun';

/** Opening a large journal. */
export const pastRun: Figure = async ({ quick, rounds }) => {
  const path = journal(quick ? 300_000 : 3_000_000);
  const args = [path];
  const runs = await sideBySide<Partial<MeasuredPastRun> & { readonly allMs: number }>(
    [
      { name: 'scan', program: 'fileScan', args },
      { name: 'ours', program: 'pastRun', args },
    ],
    Math.min(rounds, 3),
  );
  const [ours, scan] = [runs.get('ours') ?? [], runs.get('scan') ?? []];
  const speed = median(ours.map(({ allMs }, turn) => (scan[turn]?.allMs ?? NaN) / allMs));
  const seconds = (of: typeof ours): string => (median(of.map(({ allMs }) => allMs)) / 1000).toFixed(1);
  const size = `${(statSync(path).size / 1e9).toFixed(2)} GB, ${ours[0]?.records} records`;
  return [
    atMost('a journal, its first records', median(ours.map(({ firstMs }) => firstMs ?? NaN)), 300, 'ms', size),
    atLeast(
      'a journal, all of it',
      speed,
      0.5,
      `${size}: ${seconds(ours)} s; a bare scan with JSON.parse ${seconds(scan)} s`,
    ),
  ];
};
