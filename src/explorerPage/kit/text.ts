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

/** A duration in one unit, rounded down: `14 m`, `3 h`, `2 d`. */
export function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/** Gaps from this length on are marked, in milliseconds. */
export const minGap = 60_000;

/** One letter for each level, 0 (debug) to 7 (emergency). */
export const levelLetters = ['D', 'I', 'N', 'W', 'E', 'C', 'A', '!'] as const;

/** `340 ms`, `2.5 s`, `3 m 20 s`, `5 h 2 m`: how long something took. */
export function length(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** `340 B`, `2.5 KB`, `14 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / (1024 * 1024), 'MB'];
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${unit}`;
}
