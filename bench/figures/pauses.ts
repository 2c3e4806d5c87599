import { mixedJournal } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { sideBySide } from '../harness/sideBySide';
import type { MeasuredPauses } from '../subjects/pauses';

/** The longest pauses of commands that read a whole run, with 10,000 spans. */
export const pauses: Figure = async ({ quick }) => {
  const subject = { name: 'ours', program: 'pauses', args: [mixedJournal(10_000, quick ? 100_000 : 1_000_000)] };
  // A turn takes five minutes.
  const [measured] = (await sideBySide<MeasuredPauses>([subject], 1)).get('ours') ?? [];
  return (measured?.steps ?? []).map(({ name, found, pauseMs, ms }) => {
    const details = `of ${ms.toFixed(0)} ms, ${found} found; ${measured?.records} records`;
    return atMost(`longest pause, ${name}`, pauseMs, 50, 'ms', details);
  });
};
