import { readStderrLine } from './stderrLine';

const panic = /^thread '.{0,80}'(?: \(\d{1,20}\))? panicked at /;
const overflow = /^thread '.{0,80}'(?: \(\d{1,20}\))? has overflowed its stack$/;
/** A panic's reason stands on the next line. */
const place = /:\d{1,10}:\d{1,10}:$/;
const parts = /^(?:stack backtrace:|note: (?:run with `RUST_BACKTRACE|Some details are omitted))/;
/** A reason has so many lines at most: of a later panic nothing says where it ends. */
const maxReason = 12;

/** Whether a line begins what Rust says of a thread that has failed. */
export function beginsRustTrace(line: string): boolean {
  return panic.test(line) || overflow.test(line);
}

/** Whether the reason of a panic is the line after this one. */
export function isBeforeReason(line: string): boolean {
  return panic.test(line) && place.test(line);
}

/** Whether a line says only how to see more of the panic above it, or that its stack follows. */
export function isPartOfPanic(line: string): boolean {
  return parts.test(line);
}

/** Whether a line goes on with a panic. */
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
