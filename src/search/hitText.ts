import { shownLine } from '../text/text';
import { isObject } from '../text/json';
import { jsonValueOf } from '../wire/jsonValue';
import { decompressed, isCompressed } from '../past/saved/compressed';
import { nodeFs } from '../past/saved/list/savedFs';
import type { LineRedactor } from '../runLog/reading/redactEvent';
import { redactedLine } from '../runLog/reading/redactEvent';
import { byLength } from './searchQuery';

/** Bytes to read on each side of a match to find its line; most lines are short. */
const windows = [8 * 1024, 256 * 1024] as const;
/** Characters around a match to search for secrets: more than the longest key. */
const around = 32 * 1024;
/** Characters to show before a match, and in total. */
const [before, shown] = [30, 160] as const;
const maxDepth = 40;
/** Maximum number of values to examine in one line. */
const maxValues = 20_000;

/** A line of a file; if longer than 512 KB, only the part around a match. */
export interface FoundLine {
  readonly text: string;
  readonly isWhole: boolean;
}

/** A line, and the offset it was asked for. */
export interface PlacedLine extends FoundLine {
  readonly offset: number;
}

/**
 * Reads the line around an offset, in bytes.
 * @throws if the file can't be read
 */
export async function lineAt(path: string, offset: number): Promise<FoundLine> {
  for await (const { text, isWhole } of linesAt(path, [offset])) return { text, isWhole };
  return { text: '', isWhole: false };
}

/**
 * Reads the lines around some offsets, in bytes and ascending. A compressed file is decompressed once, as far as is needed.
 * @throws if the file can't be read
 */
export async function* linesAt(path: string, offsets: readonly number[]): AsyncGenerator<PlacedLine> {
  if (isCompressed(path)) yield* linesIn(decompressed(path), offsets);
  else for (const offset of offsets) yield await lineAround(offset, (from, length) => nodeFs.read(path, from, length));
}

/** The same in contents that are read once, from start to end. Keeps only what the current line may need. */
export async function* linesIn(
  contents: AsyncIterable<Buffer>,
  offsets: readonly number[],
): AsyncGenerator<PlacedLine> {
  const chunks = contents[Symbol.asyncIterator]();
  let parts: readonly Buffer[] = [];
  let [start, end, keepFrom] = [0, 0, 0];
  const read = async (from: number, length: number): Promise<Buffer> => {
    while (end < from + length) {
      const next = await chunks.next();
      if (next.done === true) break;
      end += next.value.length;
      if (end <= keepFrom) [parts, start] = [[], end];
      else parts = [...parts, next.value];
    }
    const bytes = Buffer.concat(parts);
    const kept = bytes.subarray(Math.max(0, keepFrom - start));
    [parts, start] = [[kept], start + bytes.length - kept.length];
    return kept.subarray(from - start, from - start + length);
  };
  try {
    for (const offset of offsets) {
      keepFrom = Math.max(0, offset - windows[1]);
      yield await lineAround(offset, read);
    }
  } finally {
    await chunks.return?.();
  }
}

async function lineAround(
  offset: number,
  read: (from: number, length: number) => Promise<Buffer>,
): Promise<PlacedLine> {
  let found: FoundLine = { text: '', isWhole: false };
  for (const size of windows) {
    const from = Math.max(0, offset - size);
    const length = offset - from + size;
    const bytes = await read(from, length);
    const at = Math.min(offset - from, bytes.length);
    const start = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1);
    const end = bytes.indexOf(10, at);
    const isWhole = (start >= 0 || from === 0) && (end >= 0 || bytes.length < length);
    found = { text: bytes.toString('utf8', start + 1, end < 0 ? undefined : end), isWhole };
    if (isWhole) break;
  }
  return { ...found, offset };
}

/** The text around the longest word, on one line and redacted. `undefined` if the decoded and redacted line doesn't have all words. */
export function contextOf(
  { text, isWhole }: FoundLine,
  words: readonly string[],
  redactor: LineRedactor | undefined,
): string | undefined {
  const value = isWhole ? jsonValueOf(text).msg : undefined;
  const texts = value === undefined ? [text] : textsIn(value);
  if (!words.every((word) => texts.some((part) => part.toLowerCase().includes(word)))) return undefined;
  const [first = ''] = byLength(words);
  // Prefers a text that has all words.
  const has = (part: string, word: string): boolean => part.toLowerCase().includes(word);
  const best = texts.find((part) => words.every((word) => has(part, word))) ?? texts.find((part) => has(part, first));
  if (best === undefined) return undefined;
  const at = best.toLowerCase().indexOf(first);
  const safe = redactedLine(best.slice(Math.max(0, at - around), at + around), redactor);
  const again = safe.toLowerCase().indexOf(first, Math.max(0, Math.min(at, around) - 1000));
  return again < 0 ? undefined : snippet(safe, again);
}

function snippet(text: string, at: number): string {
  const start = Math.max(0, at - before);
  const line = shownLine(text.slice(start, start + shown * 2), shown);
  return start > 0 ? `…${line}` : line;
}

/** The strings in a value, and numbers as text; JSON in a string is decoded, too. */
function textsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  let count = 0;
  const visit = (part: unknown, depth: number): void => {
    if (depth > maxDepth || ++count > maxValues) return;
    if (typeof part === 'string') {
      const inner = /^\s*[{[]/.test(part) ? jsonValueOf(part).msg : undefined;
      if (inner === undefined) found.push(part);
      else visit(inner, depth + 1);
    } else if (Array.isArray(part)) for (const one of part) visit(one, depth + 1);
    else if (isObject(part)) for (const one of Object.values(part)) visit(one, depth + 1);
    else if (typeof part === 'number') found.push(String(part));
  };
  visit(value, 0);
  return found;
}
