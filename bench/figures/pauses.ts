import { mixedJournal } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredPauses } from '../subjects/pauses';

/** The longest pauses of commands that read a whole run, with 10,000 spans. */
export const pauses: Figure = async ({ quick, rounds }) => {
  const subject = { name: 'ours', program: 'pauses', args: [mixedJournal(10_000, quick ? 100_000 : 1_000_000)] };
  const all = (await sideBySide<MeasuredPauses>([subject], Math.min(rounds, 3))).get('ours') ?? [];
  return (all[0]?.steps ?? []).map(({ name, found }, at) => {
    const each = (field: 'pauseMs' | 'ms'): number => median(all.map((one) => one.steps[at]?.[field] ?? NaN));
    const details = `of ${each('ms').toFixed(0)} ms, ${found} found; ${all[0]?.records} records`;
    return atMost(`longest pause, ${name}`, each('pauseMs'), 50, 'ms', details);
  });
};
