import type { TimeAxis, TimeRange } from '../../query/timeAxis';
import { axisOf, idleBetween, minIdle } from '../../query/timeAxis';
import type { SpanRow } from '../../explorer/turns/turnMessages';
import { hasFailed } from '../../work/outcome';

/** Distance from an error within which nothing is collapsed, in milliseconds. */
const aroundError = 5000;

/**
 * @param now the end of spans that are still open
 * @param range the visible range; everything if absent
 */
export function timeAxis(rows: readonly SpanRow[], now: number, range?: TimeRange): TimeAxis {
  if (rows.length === 0) return { breaks: [], from: 0, to: 0, at: () => 0, timeAt: () => 0 };
  const from = range?.from ?? rows.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = range?.to ?? rows.reduce((most, row) => Math.max(most, endOf(row, now)), -Infinity);
  return axisOf({ from, to }, breaksIn(rows, now));
}

export function endOf({ start, end }: SpanRow, now: number): number {
  return end < 0 ? Math.max(start, now) : end;
}

function breaksIn(rows: readonly SpanRow[], now: number): readonly TimeRange[] {
  const lengths = rows.map((row) => endOf(row, now) - row.start).sort((a, b) => a - b);
  const least = Math.max(minIdle, 10 * (lengths[Math.floor(lengths.length / 2)] ?? 0));
  const errors = rows.filter(hasFailed);
  const errorTimes = errors.map((row) => endOf(row, now)).sort((a, b) => a - b);
  const busy = rows.map((row) => ({ from: row.start, to: endOf(row, now) }));
  return idleBetween(busy, least)
    .map((gap) => awayFromErrors(gap, errorTimes))
    .filter(({ from, to }) => to > from);
}

/** Shrinks a gap to keep its distance from errors, which lie at or before its start, or after its end. */
function awayFromErrors({ from, to }: TimeRange, errorTimes: readonly number[]): TimeRange {
  const before = errorTimes.findLast((time) => time <= from) ?? -Infinity;
  const after = errorTimes.find((time) => time >= to) ?? Infinity;
  return { from: Math.max(from, before + aroundError), to: Math.min(to, after - aroundError) };
}
