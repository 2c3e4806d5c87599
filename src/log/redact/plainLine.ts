import type { Span } from './span';

/** ANSI escape sequences as they cross (ECMA-48: OSC up to its terminator, CSI, the short ones), and colours as they stand in strings of JSON and of Python. */
const colours =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[?[0-9;:<=>?]{0,32}[ -/]{0,4}[@-~]|\\{1,8}(?:u001[bB]|x1[bB]|033)\[[0-9;:<=>?]{0,32}[A-Za-z]/g;
const coloursAndNulls = new RegExp(`${colours.source}|\u0000`, 'g');

/** Text in UTF-16, read byte by byte: between other things, as the variables of an environment, a NUL stands alone. */
const utf16 = /(?:[^\u0000]\u0000){8}|(?:\u0000[^\u0000]){8}/;

/** A line without what nobody sees of it. */
export interface PlainLine {
  readonly text: string;
  /** The same piece of the line as it crossed. */
  original(span: Span): Span;
}

/** The line as a person reads it: colours part a name from its value, and the NULs of UTF-16 all letters. `undefined` where it has none. */
export function plainLine(line: string): PlainLine | undefined {
  const unseen = line.includes('\0') && utf16.test(line) ? coloursAndNulls : colours;
  const text = line.replace(unseen, '');
  if (text === line) return undefined;
  let originOf: ((at: number) => number) | undefined;
  return {
    text,
    original: ({ start, end, text: replacement }) => {
      // Most lines have no secret to be found again.
      originOf ??= originsIn(line, unseen);
      return { start: originOf(start), end: originOf(end - 1) + 1, text: replacement };
    },
  };
}

/** Where a place of the plain line is in the other one. */
function originsIn(line: string, unseen: RegExp): (at: number) => number {
  /** Where the pieces that stay begin, in the plain line and in the other one. */
  const starts: number[] = [];
  const origins: number[] = [];
  let from = 0;
  let kept = 0;
  for (const { 0: found, index } of line.matchAll(unseen)) {
    starts.push(kept);
    origins.push(from);
    kept += index - from;
    from = index + found.length;
  }
  starts.push(kept);
  origins.push(from);
  return (at) => {
    const piece = lastUpTo(starts, at);
    return (origins[piece] ?? 0) + at - (starts[piece] ?? 0);
  };
}

/** The last of these ascending numbers that is not greater. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
