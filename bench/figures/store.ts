import type { Figure, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredStore } from '../subjects/storeMemory';
import type { MeasuredTables } from '../subjects/tablesMemory';

/** The real memory of a full store, relative to its limit, and of the tables of spans and of wire rows. */
export const store: Figure = async ({ rounds }) => {
  const rows: Row[] = [];
  for (const sessions of [1, 100, 1000]) {
    const subject = { name: 'ours', program: 'storeMemory', args: [String(sessions)] };
    const all = (await sideBySide<MeasuredStore>([subject], Math.min(rounds, 3))).get('ours') ?? [];
    const percent = (bytes: 'held' | 'counted'): number => median(all.map((one) => (one[bytes] / one.limit) * 100));
    const details = `${percent('counted').toFixed(0)} % counted; ${median(all.map(({ records }) => records))} records`;
    rows.push(atMost(`memory of a full store, ${sessions} sessions`, percent('held'), 120, '% of its limit', details));
  }
  const [tables] = (await sideBySide<MeasuredTables>([{ name: 'ours', program: 'tablesMemory' }], 1)).get('ours') ?? [];
  if (!tables) return rows;
  const { spanBytes, wireBytes, spans, droppedSpans, rows: kept, droppedRows } = tables;
  const details = `${spans} spans, ${kept} wire rows; ${droppedSpans} and ${droppedRows} older ones are gone`;
  rows.push(
    atMost('memory of spans and wire rows, a million messages', (spanBytes + wireBytes) / 1e6, 12, 'MB', details),
  );
  return rows;
};
