/** Local time of day to the millisecond. */
export function clock(ms: number): string {
  const time = new Date(ms);
  const seconds = `${padded(time.getSeconds())}.${padded(time.getMilliseconds(), 3)}`;
  return `${padded(time.getHours())}:${padded(time.getMinutes())}:${seconds}`;
}

/** A number with leading zeros. */
export function padded(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}

/** Gaps from this length on are marked, in milliseconds. */
export const minGap = 60_000;

/** One letter for each level, 0 (debug) to 7 (emergency). */
export const levelLetters = ['D', 'I', 'N', 'W', 'E', 'C', 'A', '!'] as const;
