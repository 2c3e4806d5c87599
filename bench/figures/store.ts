import type { Figure, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredStore } from '../subjects/storeMemory';

/** The real memory of a full store, relative to its limit. */
export const store: Figure = async ({ rounds }) => {
  const rows: Row[] = [];
  for (const sessions of [1, 100, 1000]) {
    const subject = { name: 'ours', program: 'storeMemory', args: [String(sessions)] };
    const all = (await sideBySide<MeasuredStore>([subject], Math.min(rounds, 3))).get('ours') ?? [];
    const percent = (bytes: 'held' | 'counted'): number => median(all.map((one) => (one[bytes] / one.limit) * 100));
    const details = `${percent('counted').toFixed(0)} % counted; ${median(all.map(({ records }) => records))} records`;
    rows.push(atMost(`memory of a full store, ${sessions} sessions`, percent('held'), 120, '% of its limit', details));
  }
  return rows;
};
