/** The furthest time that a Date can be (ECMA-262, "Time Values"). */
const maxTime = 8.64e15;

/**
 * A timestamp as loggers write it, in milliseconds since the epoch: ISO 8601, or a number (of digits in a string, too) of seconds,
 * milliseconds, microseconds or nanoseconds. `undefined` for what is none.
 */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? toMilliseconds(value) : typeof value === 'string' ? ofText(value) : NaN;
  return Number.isFinite(ms) && Math.abs(ms) <= maxTime ? ms : undefined;
}

function ofText(text: string): number {
  return /^\d{10,19}(?:\.\d+)?$/.test(text) ? toMilliseconds(Number(text)) : Date.parse(text);
}

/** Told apart by their size: each unit's numbers are those of the years 1973 to 5138 at least. */
function toMilliseconds(time: number): number {
  if (time > 1e17) return time / 1e6;
  if (time > 1e14) return time / 1e3;
  return time < 1e11 ? time * 1000 : time;
}
