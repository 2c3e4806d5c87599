/** The latest time that a Date can represent (ECMA-262, "Time Values"). */
const maxTime = 8.64e15;
/** Starts with the year: ISO 8601, and the format of Go's log package. */
const yearFirst = /^\d{4}[-/]\d\d?[-/]\d/;
/** Words allowed among the numbers of other dates: `Fri, 20 Nov 2026 12:00:00 GMT` (RFC 9110), `Fri Nov 20 12:00:00 2026` (asctime). */
const dateWord =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|gmt|utc|[ecmp][sd]t|z|[ap]m)$/;

/** A clock time, a day next to a month name, or a numeric date. A year alone could be any number. */
const hasDay = /\d:\d\d|[a-z]{3}\.? \d{1,2},? \d{4}|\d [a-z]{3,9},? \d{4}|\d[/.]\d{1,2}[/.]\d{4}/i;
/** The end of `String(new Date())`: `GMT+0100 (Central European Standard Time)`. */
const zoneName = / \([^()]{1,60}\)$/;

/**
 * Reads a logger's timestamp as milliseconds since the epoch: ISO 8601, or a number (or a string of digits) of seconds, milliseconds, microseconds
 * or nanoseconds. `undefined` for anything else.
 */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? toMilliseconds(value) : typeof value === 'string' ? ofText(value) : NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= maxTime ? ms : undefined;
}

function ofText(text: string): number {
  if (/^\d{10,19}(?:\.\d+)?$/.test(text)) return toMilliseconds(Number(text));
  return isDate(text) ? Date.parse(text) : NaN;
}

/** `Date.parse` skips any words and accepts any number as a date: `step 1` would be in January 2001. */
function isDate(text: string): boolean {
  if (yearFirst.test(text)) return true;
  if (text.length > 100 || !/\d{4}/.test(text) || !hasDay.test(text)) return false;
  const named = text.replace(zoneName, '');
  return (named.toLowerCase().match(/[a-z]+/g) ?? []).every((word) => dateWord.test(word));
}

/** Units are recognized by size: each unit's range covers at least the years 1973 to 5138. */
function toMilliseconds(time: number): number {
  if (time > 1e17) return time / 1e6;
  if (time > 1e14) return time / 1e3;
  return time < 1e11 ? time * 1000 : time;
}
