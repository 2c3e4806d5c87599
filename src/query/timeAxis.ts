/** A stretch of time, in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Maps times to positions, 0 (left) to 1 (right), and back. */
export interface TimeAxis {
  /** Stretches without activity, drawn shorter. */
  readonly breaks: readonly TimeRange[];
  /** What it shows, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  at(time: number): number;
  timeAt(place: number): number;
}

/** Shorter stretches without activity are drawn as they are, in milliseconds. */
export const minIdle = 60_000;
/** Fractions of the width for one break, and for all of them together. */
const breakShare = 0.02;
const maxBreakShare = 0.3;

/** @param idle in order; those outside the range are left out */
export function axisOf({ from, to }: TimeRange, idle: readonly TimeRange[]): TimeAxis {
  const breaks = idle.flatMap((one): TimeRange[] => {
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

/**
 * Gaps between stretches of activity, in order.
 * @param least their minimum length
 */
export function idleBetween(busy: readonly TimeRange[], least: number): readonly TimeRange[] {
  const idle: TimeRange[] = [];
  let busyUntil = Infinity;
  for (const { from, to } of [...busy].sort((a, b) => a.from - b.from)) {
    if (from - busyUntil > least) idle.push({ from: busyUntil, to: from });
    busyUntil = Math.max(busyUntil === Infinity ? -Infinity : busyUntil, to);
  }
  return idle;
}

/** Those that take more room than a break would, once longer ones are breaks. */
export function longIdle(idle: readonly TimeRange[], { from, to }: TimeRange): readonly TimeRange[] {
  let rest = to - from;
  const long = new Set<TimeRange>();
  for (const one of [...idle].sort((a, b) => b.to - b.from - (a.to - a.from))) {
    if (one.to - one.from <= rest * breakShare) break;
    long.add(one);
    rest -= one.to - one.from;
  }
  return idle.filter((one) => long.has(one));
}
