import { levels } from '../../text/level';
import type { TimeAxis, TimeRange } from '../../query/timeAxis';
import type { TimeReference } from '../../query/timeValue';
import { roughDuration } from '../../text/text';
import { clock } from '../kit/text';
import type { Texts } from '../texts';

/** How many records match over time. */
export interface Histogram {
  readonly axis: TimeAxis;
  /** Of each bucket eight counts, by level from `debug` on. */
  readonly counts: Uint32Array;
  /** What the filter's times are relative to. */
  readonly times: TimeReference;
}

/** A bar of the histogram: its records, and when they came. */
export interface Bucket extends TimeRange {
  /** By level, from `debug` on. */
  readonly counts: readonly number[];
}

export function bucketCount({ counts }: Pick<Histogram, 'counts'>): number {
  return counts.length / levels.length;
}

/** @param place from 0 (left) to 1 (right) */
export function bucketAt(histogram: Pick<Histogram, 'axis' | 'counts'>, place: number): Bucket {
  const { axis, counts } = histogram;
  const all = bucketCount(histogram);
  const index = Math.min(all - 1, Math.max(0, Math.floor(place * all)));
  const own = [...counts.subarray(index * levels.length, (index + 1) * levels.length)];
  const [from, to] = [axis.timeAt(index / all), axis.timeAt((index + 1) / all)];
  const isEmpty = own.every((count) => count === 0);
  const time = axis.timeAt(place);
  const idle = axis.breaks.find((one) => time > one.from && time < one.to);
  if (isEmpty && idle) return { ...idle, counts: own };
  // Its records aren't in the break at its edge.
  const isIdle = (at: number): TimeRange | undefined => axis.breaks.find((one) => at > one.from && at < one.to);
  return { from: isIdle(from)?.to ?? from, to: isIdle(to)?.from ?? to, counts: own };
}

/** When it was, and how many records of each level there are, the worst first. */
export function bucketText({ t, number }: Texts, { from, to, counts }: Bucket): readonly string[] {
  const lines = counts.flatMap((count, rank) => (count === 0 ? [] : `${levels[rank]}: ${number(count)}`)).reverse();
  const idle = to - from >= 60_000 ? t('No records for {0}', roughDuration(to - from)) : t('No records');
  return [`${clock(from)} – ${clock(to)}`, ...(lines.length === 0 ? [idle] : lines)];
}
