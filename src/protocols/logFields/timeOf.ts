/** The furthest time that a Date can be (ECMA-262, "Time Values"). */
const maxTime = 8.64e15;
/** Beginning with the year: ISO 8601, and as Go's log package has it. */
const yearFirst = /^\d{4}[-/]\d\d?[-/]\d/;
/** What may stand among the numbers of other dates: `Fri, 20 Nov 2026 12:00:00 GMT` (RFC 9110), `Fri Nov 20 12:00:00 2026` (asctime). */
const dateWord =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|gmt|utc|[ecmp][sd]t|z|[ap]m)$/;

/** A clock, a day of the month beside its name, or a date in numbers: a year alone may be any number. */
const hasDay = /\d:\d\d|[a-z]{3}\.? \d{1,2},? \d{4}|\d [a-z]{3,9},? \d{4}|\d[/.]\d{1,2}[/.]\d{4}/i;
/** As `String(new Date())` ends: `GMT+0100 (Central European Standard Time)`. */
const zoneName = / \([^()]{1,60}\)$/;

/**
 * A timestamp as loggers write it, in milliseconds since the epoch: ISO 8601, or a number (of digits in a string, too) of seconds,
 * milliseconds, microseconds or nanoseconds. `undefined` for what is none.
 */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? toMilliseconds(value) : typeof value === 'string' ? ofText(value) : NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= maxTime ? ms : undefined;
}

function ofText(text: string): number {
  if (/^\d{10,19}(?:\.\d+)?$/.test(text)) return toMilliseconds(Number(text));
  return isDate(text) ? Date.parse(text) : NaN;
}

/** `Date.parse` passes over any words, and takes any number for a date: `step 1` would be in January 2001. */
function isDate(text: string): boolean {
  if (yearFirst.test(text)) return true;
  if (text.length > 100 || !/\d{4}/.test(text) || !hasDay.test(text)) return false;
  const named = text.replace(zoneName, '');
  return (named.toLowerCase().match(/[a-z]+/g) ?? []).every((word) => dateWord.test(word));
}

/** Told apart by their size: each unit's numbers are those of the years 1973 to 5138 at least. */
function toMilliseconds(time: number): number {
  if (time > 1e17) return time / 1e6;
  if (time > 1e14) return time / 1e3;
  return time < 1e11 ? time * 1000 : time;
}
