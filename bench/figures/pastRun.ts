import { statSync } from 'node:fs';
import { journal } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atLeast, atMost } from '../harness/figure';
import { againstOlder, median, sideBySide, withOlder } from '../harness/sideBySide';
import type { MeasuredPastRun } from '../subjects/pastRun';

type MeasuredTime = Pick<MeasuredPastRun, 'allMs' | 'cpuMs'>;

/** Opening a large journal. */
export const pastRun: Figure = async ({ quick, rounds, against }) => {
  const path = journal(quick ? 300_000 : 3_000_000);
  const args = [path];
  const runs = await sideBySide<Partial<MeasuredPastRun> & MeasuredTime>(
    [{ name: 'scan', program: 'fileScan', args }, ...withOlder({ name: 'ours', program: 'pastRun', args }, against)],
    Math.min(rounds, 3),
  );
  const spilled = [{ name: 'spilled', program: 'pastRun', args: [path, '--spill'] }];
  const middle = (await sideBySide<MeasuredPastRun>(spilled, Math.min(rounds, 3))).get('spilled') ?? [];
  const [ours, scan] = [runs.get('ours') ?? [], runs.get('scan') ?? []];
  const speedBy = (by: keyof MeasuredTime): number =>
    median(ours.map((one, turn) => (scan[turn]?.[by] ?? NaN) / one[by]));
  const seconds = (of: typeof ours): string => (median(of.map(({ allMs }) => allMs)) / 1000).toFixed(1);
  const size = `${(statSync(path).size / 1e9).toFixed(2)} GB, ${ours[0]?.records} records`;
  return [
    atMost('a journal, its first records', median(ours.map(({ firstMs }) => firstMs ?? NaN)), 100, 'ms', size),
    {
      ...atLeast(
        'a journal, all of it',
        speedBy('allMs'),
        1,
        `${size}: ${seconds(ours)} s; a bare scan with JSON.parse ${seconds(scan)} s`,
        speedBy('cpuMs'),
      ),
      ...againstOlder(runs, 'ours', 1.5),
    },
    atMost(
      'a journal, a page in its middle',
      median(middle.map(({ middleMs }) => middleMs ?? NaN)),
      300,
      'ms',
      `of the newest ${middle[0]?.held} records, which are in memory or in the file for those that don't fit`,
    ),
  ];
};
