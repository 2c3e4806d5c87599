import { t } from '../text/translator';
import type { KeyHelp } from './language';

/** A point in time as it is written in a query. */
export type TimeValue =
  /** A duration before now, in milliseconds: `10m`. */
  | { readonly type: 'ago'; readonly ms: number }
  /** Local time of day, in milliseconds since midnight: `12:04`. */
  | { readonly type: 'clock'; readonly ms: number }
  /** Milliseconds since the epoch: an ISO date, with or without a time. */
  | { readonly type: 'date'; readonly ms: number };

/** VS Code's names for the keys of a range of time. */
export const timeSynonyms: ReadonlyMap<string, 'since' | 'until'> = new Map([
  ['after', 'since'],
  ['before', 'until'],
]);

/** The keys of a range of time. */
export const timeKeys = { since: parseTime, until: parseTime };

export const timeHelp: Readonly<Record<'since' | 'until', KeyHelp>> = {
  since: { about: t('since a time of day, a date, or so long ago'), example: 'since:10m' },
  until: { about: t('until a time of day, a date, or so long ago'), example: 'until:12:04' },
};

/** Milliseconds of each unit, the shortest first. */
export const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const ago = /^(\d{1,9})(ms|[smhdw])$/;
const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/;
const date = /^(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/;

/** Reads `10m`, `12:04` or an ISO date; a date without a zone is local. `undefined` for anything else. */
export function parseTime(text: string): TimeValue | undefined {
  const relative = ago.exec(text);
  if (relative) return { type: 'ago', ms: Number(relative[1]) * (unitMs[relative[2] ?? ''] ?? 1) };
  const time = clock.exec(text);
  if (time) {
    const [, hours, minutes, seconds = '0', fraction = ''] = time;
    const whole = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
    return { type: 'clock', ms: whole + Number(fraction.padEnd(3, '0')) };
  }
  if (!date.test(text)) return undefined;
  // Without a time, `Date.parse` takes a date for UTC.
  const ms = Date.parse(/t/i.test(text) ? text.toUpperCase() : `${text}T00:00`);
  return Number.isNaN(ms) ? undefined : { type: 'date', ms };
}

/** What the times of a query are relative to, in milliseconds since the epoch. */
export interface TimeReference {
  /** For a run that has ended, its end. */
  readonly now: number;
  /** When the newest record was received. */
  readonly newest: number;
}

/**
 * The point in time, in milliseconds since the epoch. A time of day is one near the newest record: the latest before it for
 * `since`, the nearest for `until`.
 */
export function resolveTime(value: TimeValue, key: 'since' | 'until', { now, newest }: TimeReference): number {
  if (value.type === 'ago') return now - value.ms;
  if (value.type === 'date') return value.ms;
  const today = new Date(newest);
  const at = (days: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, 0, 0, 0, value.ms).getTime();
  const candidates = [-1, 0, 1].map(at);
  if (key === 'since') return candidates.findLast((time) => time <= newest) ?? newest;
  return candidates.reduce((best, time) => (Math.abs(time - newest) < Math.abs(best - newest) ? time : best));
}

/** The end of a range of time, in milliseconds since the epoch: of several values, the one that includes most. */
export function timeEnd(key: 'since' | 'until', values: readonly TimeValue[], reference: TimeReference): number {
  const times = values.map((value) => resolveTime(value, key, reference));
  return key === 'since' ? Math.min(...times) : Math.max(...times);
}

/** Tests times for `since:` or `until:`; what has a length need only overlap. Milliseconds since the epoch. */
export function timeTest(
  { key, values }: { readonly key: 'since' | 'until'; readonly values: readonly TimeValue[] },
  now: number,
): (from: number, to?: number) => boolean {
  const end = timeEnd(key, values, { now, newest: now });
  return key === 'since' ? (from, to = from) => to >= end : (from) => from <= end;
}
