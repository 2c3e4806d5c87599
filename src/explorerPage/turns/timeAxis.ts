import type { SpanRow } from '../../ui/explorer/turns/turnMessages';

/** A period without activity, drawn shorter. In milliseconds since the epoch. */
export interface TimeBreak {
  readonly from: number;
  readonly to: number;
}

/** Maps times to positions, 0 (left) to 1 (right), and back. */
export interface TimeAxis {
  readonly breaks: readonly TimeBreak[];
  /** The visible range, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  at(time: number): number;
  timeAt(place: number): number;
}

/** A time range, in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const minIdle = 60_000;
/** Distance from an error within which nothing is collapsed, in milliseconds. */
const aroundError = 5000;
/** Fractions of the width for one break, and for all of them together. */
const breakShare = 0.02;
const maxBreakShare = 0.3;

/**
 * @param now the end of spans that are still open
 * @param range the visible range; everything if absent
 */
export function timeAxis(rows: readonly SpanRow[], now: number, range?: TimeRange): TimeAxis {
  if (rows.length === 0) return { breaks: [], from: 0, to: 0, at: () => 0, timeAt: () => 0 };
  const from = range?.from ?? rows.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = range?.to ?? rows.reduce((most, row) => Math.max(most, endOf(row, now)), -Infinity);
  const breaks = breaksIn(rows, now).flatMap((one): TimeBreak[] => {
    const inside = { from: Math.max(one.from, from), to: Math.min(one.to, to) };
    return inside.to > inside.from ? [inside] : [];
  });
  const hidden = breaks.reduce((sum, one) => sum + (one.to - one.from), 0);
  const visible = Math.max(1, to - from - hidden);
  const share = breaks.length === 0 ? 0 : Math.min(breakShare, maxBreakShare / breaks.length);
  const scale = (1 - share * breaks.length) / visible;
  return {
    breaks,
    from,
    to,
    timeAt: (place) => {
      let time = from;
      let left = place;
      for (const one of breaks) {
        const before = (one.from - time) * scale;
        if (left <= before) break;
        left -= before;
        if (left <= share) return one.from + (left / share) * (one.to - one.from);
        left -= share;
        time = one.to;
      }
      return Math.max(from, Math.min(to, time + left / scale));
    },
    at: (time) => {
      let place = (Math.max(from, Math.min(to, time)) - from) * scale;
      for (const one of breaks) {
        if (time <= one.from) break;
        const part = (Math.min(time, one.to) - one.from) / (one.to - one.from);
        place += part * share - (Math.min(time, one.to) - one.from) * scale;
      }
      return Math.max(0, Math.min(1, place));
    },
  };
}

export function endOf({ start, end }: SpanRow, now: number): number {
  return end < 0 ? Math.max(start, now) : end;
}

function breaksIn(rows: readonly SpanRow[], now: number): readonly TimeBreak[] {
  const lengths = rows.map((row) => endOf(row, now) - row.start).sort((a, b) => a - b);
  const least = Math.max(minIdle, 10 * (lengths[Math.floor(lengths.length / 2)] ?? 0));
  const errors = rows.filter(({ outcome }) => outcome === 'error' || outcome === 'unanswered');
  const errorTimes = errors.map((row) => endOf(row, now)).sort((a, b) => a - b);
  const breaks: TimeBreak[] = [];
  let busyUntil = Infinity;
  for (const row of [...rows].sort((a, b) => a.start - b.start)) {
    if (row.start - busyUntil > least) {
      const gap = awayFromErrors({ from: busyUntil, to: row.start }, errorTimes);
      if (gap.to > gap.from) breaks.push(gap);
    }
    busyUntil = Math.max(busyUntil === Infinity ? -Infinity : busyUntil, endOf(row, now));
  }
  return breaks;
}

/** Shrinks a gap to keep its distance from errors, which lie at or before its start, or after its end. */
function awayFromErrors({ from, to }: TimeBreak, errorTimes: readonly number[]): TimeBreak {
  const before = errorTimes.findLast((time) => time <= from) ?? -Infinity;
  const after = errorTimes.find((time) => time >= to) ?? Infinity;
  return { from: Math.max(from, before + aroundError), to: Math.min(to, after - aroundError) };
}
