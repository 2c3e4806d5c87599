import assert from 'node:assert/strict';
import { shapes } from '../../src/redact/shapes/shapeTable';
import { isWindows } from './platform';

/** A text of any length that is hard to read for a search that looks at a place more than once. */
export interface HostileText {
  readonly name: string;
  /** About as many characters as asked for. */
  readonly of: (length: number) => string;
}

/** `npm run test:long` multiplies the lengths by this, and takes all units instead of some of them. */
const factor = Number(process.env['AGENT_LOGS_CASES'] ?? 1);
const share = factor > 1 ? 1 : 10;
const shortest = 1024;
const longest = 1_048_576;
/** Lengths are doubled until the work takes this long: first a quick look, then a thorough one if what it shows is suspicious. */
const looks = [
  { ms: 2, longest: Math.min(longest, 16_384 * factor) },
  { ms: 30, longest },
];
/** A shorter time says nothing. */
const minMs = 1;
/** A linear search takes twice as long, and somewhat more where the text leaves a cache; one with the square of the length four times. */
const maxRatio = 3;
/** Only what seems slow is tried that often. */
const attempts = 24;

/**
 * Defines one test for all the texts: twice the length must not take more than three times as long.
 * @param work reads the text once. Wrap the text in it to put it in a field of a message.
 */
export function takesLinearTime(
  what: string,
  work: (text: string) => void,
  texts: readonly HostileText[] = hostileTexts(),
): void {
  it(what, function () {
    this.timeout(texts.length * 1000);
    const slow = texts.flatMap((text) => growthOf(work, text) ?? []);
    // The long run prints the count.
    Object.assign(this.test ?? {}, { cases: texts.length });
    assert.deepEqual(slow, []);
  });
}

/** How the time for a text grows if that is faster than its length; `undefined` if it isn't. */
function growthOf(work: (text: string) => void, text: HostileText): string | undefined {
  let length = shortest;
  let growth: string | undefined;
  for (const look of looks) {
    while (length < look.longest && leastOfTwo(work, text.of(length)) < look.ms) length *= 2;
    growth = growthAt(work, text, length / 2);
    if (growth === undefined) return undefined;
  }
  return growth;
}

/**
 * How much longer twice the length takes if that is more than linear; `undefined` if it isn't.
 * @param work is done with what is of a length, which is made before
 * @param longestMs no text of the shorter length may take longer, even if twice as much takes no longer
 */
export function growthAt<T>(
  work: (input: T) => void,
  { name, of }: { readonly name: string; readonly of: (length: number) => T },
  length: number,
  longestMs = Infinity,
): string | undefined {
  const [half, whole] = [of(length), of(2 * length)];
  let [before, after] = [Infinity, Infinity];
  for (let n = 0; n < attempts; n++) {
    before = Math.min(before, millisecondsFor(work, half));
    after = Math.min(after, millisecondsFor(work, whole));
    if (n > 0 && before < longestMs && (after <= maxRatio * before || after < minMs)) return undefined;
  }
  return `${name}: ${before.toFixed(1)} ms for ${length} characters, ${after.toFixed(1)} ms for ${2 * length}`;
}

/** The first run of new code is slower. */
function leastOfTwo(work: (text: string) => void, text: string): number {
  return Math.min(millisecondsFor(work, text), millisecondsFor(work, text));
}

/** Windows counts processor time in steps of this length, in milliseconds. */
const windowsStep = 16;

/** Processor time: others may be using the machine. */
export function millisecondsFor<T>(work: (input: T) => void, input: T): number {
  const began = performance.now();
  const from = process.cpuUsage();
  work(input);
  const passed = performance.now() - began;
  const { user, system } = process.cpuUsage(from);
  const used = (user + system) / 1000;
  return isWindows ? Math.min(passed, used + windowsStep) : used;
}

/** Each unit again and again: alone, and before an end that isn't like it. */
export function hostileTexts(units: readonly string[] = hostileUnits): readonly HostileText[] {
  return units.flatMap((unit) => [
    { name: `${JSON.stringify(unit)} again and again`, of: (length) => repeated(unit, length) },
    { name: `x, ${JSON.stringify(unit)} again and again, x`, of: (length) => `x${repeated(unit, length)}x` },
  ]);
}

/** Many of one unit, then many of another: a search that begins at each of the first and passes all of the second. */
export function hostilePairs(firsts: readonly string[], seconds: readonly string[]): readonly HostileText[] {
  return firsts.flatMap((first) =>
    seconds.map((second) => ({
      name: `${JSON.stringify(first)}, then ${JSON.stringify(second)}`,
      of: (length) => repeated(first, length / 2) + repeated(second, length / 2),
    })),
  );
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

/** Characters and words in a row, which searches pass over as one. */
// prettier-ignore
const longRuns: readonly string[] = [
  ' ', '\t', '\n', '\r\n', '\u00a0', 'a', 'A', '0', '_', '-', '.', '=', '/', '+', ':', ',', ';', '\\', '"', "'", '`',
  '(', ')', '[', ']', '{', '}', '<', '>', '|', '*', '#', '%', '&', '@', '~', '?', '!', '$', '\0', '\u001b', 'é', '：', '😀',
  'ab ', 'a.b', 'a-b', 'A_B', 'a1', 'Ab1', 'Ab1 ', '1.', '1,', '1:', ': ', ', ', '. ', '" ', '\\n', '\\\\', '\\"', '%25', '\\u0020',
];

/** Pieces of what logs, messages and outputs are made of. */
// prettier-ignore
const pieces: readonly string[] = [
  '{"', '{"a":', '{"a":[', '[[', '{}', '[]', '"a":"b",', '{"a":"', '()', '({[', '<a>', '</a>', '<a', '<a b="', '<!--', '<system-reminder>', '```', '```\n', '**', '| ', '|a', '| a | b |\n', '- ', '> ', '# ',
  'a=', 'a=b ', 'a=b&', 'a: ', 'a:\n', 'a: |\n', 'key=', 'api_key=', 'password: ', 'password:\n  ', 'token=', '"token":"', 'secret\t', 'a,password\n', '--token ', '-p', ' -p ', ' -u a:',
  'http://', 'https://a:', 'https://a@', '://a:b@', 'a@b.c ', '?a=', '&sig=', '%3D', '&amp;', 'file:///', '/a', 'C:\\a',
  '-----BEGIN PRIVATE KEY-----', '-----BEGIN RSA PRIVATE KEY-----\\n', '-----END PRIVATE KEY-----', 'Bearer ', 'Authorization: ', 'Cookie: a=b; ',
  'eyJhbGciOiJIUzI1NiJ9.', '_eyJhbGciOi', '\u001b[31m', '\u001b]', '\u001b[', 'a\0',
  '    at f (a.js:1:1)\n', '  File "a", line 1\n', 'Traceback (most recent call last):\n', 'Caused by: ', 'Error: ', 'Error: a\n', 'error ', 'exit code ', 'exited with code 1', 'signal ', 'Exception: ', 'panic: ', 'goroutine 1 [a]:\n', 'thread \'a\' panicked at ',
  '2026-01-01T00:00:00Z ', '[INFO] ', '12:00 ', 'Content-Length: 1\r\n', 'data: ', '\r', '…', 'a…', '***', '[redacted]', '${', '${a', '{{', '$(', '<%', 'AND ', 'not ', '(a or ',
];

/** What texts are made hostile of: pieces, characters in a row and the beginnings of tokens, alone and where they don't begin one. */
const hostileUnits: readonly string[] = [
  ...new Set([...longRuns, ...pieces, ...shapes.flatMap(({ prefix }) => [prefix, `_${prefix}`])]),
].filter((_unit, index) => index % share === 0);
