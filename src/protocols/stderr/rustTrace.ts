import { readStderrLine } from './stderrLine';

const panic = /^thread '.{0,80}'(?: \(\d{1,20}\))? panicked at /;
const overflow = /^thread '.{0,80}'(?: \(\d{1,20}\))? has overflowed its stack$/;
/** The reason of a panic is on the next line. */
const place = /:\d{1,10}:\d{1,10}:$/;
const parts = /^(?:stack backtrace:|note: (?:run with `RUST_BACKTRACE|Some details are omitted))/;
/** Maximum lines of a reason; nothing marks the end of a later panic's. */
const maxReason = 12;

/** Whether a line starts the report of a panicked thread. */
export function beginsRustTrace(line: string): boolean {
  return panic.test(line) || overflow.test(line);
}

/** Whether the next line is the reason of a panic. */
export function isBeforeReason(line: string): boolean {
  return panic.test(line) && place.test(line);
}

/** Whether a line is the hint about backtraces below a panic, or announces the backtrace. */
export function isPartOfPanic(line: string): boolean {
  return parts.test(line);
}

/** Whether a line continues a panic. */
export function goesOnInRust(before: readonly string[], line: string): boolean {
  return isPartOfPanic(line) || isOfReason(before, line) || line.startsWith('fatal runtime error: stack overflow');
}

function isOfReason(before: readonly string[], line: string): boolean {
  if (!isBeforeReason(before[0] ?? '')) return false;
  if (before.length === 1) return true;
  if (before.length > maxReason || before.at(-1) === '' || before.some(isPartOfPanic)) return false;
  const { level, time } = readStderrLine(line);
  return level === undefined && time === undefined;
}
