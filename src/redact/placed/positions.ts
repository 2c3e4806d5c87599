import { maxFragment } from '../../kernel/fragment';
import { patternOf } from '../../text/text';
import { ValueEnds } from '../ends';
import { isLikely, isNameOfSecret } from '../assigned/named';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isNumber, isOpaque, isPath, isPlaceholder, isScrambled } from '../values';

/** What looks like a secret there: anything, a likely password, or what a generator has made and is as long as a token. */
type Sureness = 'any' | 'password' | 'token';

/**
 * Programs and functions that have a secret at a fixed place, and what is between their name and the secret. There a blank is what separates
 * arguments, in a list, too; `_` is an argument of a program, `…` any number of them, and `@` an argument of a function.
 */
const table: readonly (readonly [name: string, between: string, sureness?: Sureness])[] = [
  [
    'htpasswd',
    '(?=(?: -[A-Za-z]+)* -[A-Za-z]*b)(?:(?: -[A-Za-z]+)* -[A-Za-z]*n[A-Za-z]*(?: -[A-Za-z]+)* _ |(?: -[A-Za-z]+)+ _ _ )',
  ],
  ['rabbitmqctl add_user', ' _ '],
  ['openssl passwd', '(?: -(?:1|5|6|apr1|noverify|quiet|salt _))* ', 'password'],
  ['vault login', ' ', 'token'],
  ['curl ', '(?:… )?(?:-b|--cookie)(?:=| )(?=[^\\s"\'=;]{1,64}=)'],
  ['chpasswd', ' <<< [^\\s:"\']{1,32}:'],
  ['HTTPBasicAuth(', '@', 'password'],
  ['NetworkCredential(', '@', 'password'],
  ['auth=(', '@', 'password'],
  ['getConnection(', '@@', 'password'],
];

/** What the search may look for, see `trigger.ts`: the rarest first, as the others are in every line. */
const anchors = Array.from('GKBPCA=_kvy-hcp');

/** The search finds these as names of secrets, and curl anyway. */
const isName = /passwd|^curl/;

interface Row {
  readonly name: string;
  /** Where in the name its anchor is. */
  readonly offset: number;
  readonly expression: RegExp;
  readonly sureness: Sureness;
}

const rows: readonly Row[] = table.map(([name, between, sureness = 'any']) => ({
  name,
  offset: offsetOf(name),
  expression: new RegExp(name.endsWith('(') ? inCall(between) : inCommand(between), 'y'),
  sureness,
}));

/** Where a name's rarest anchor is. */
function offsetOf(name: string): number {
  return isName.test(name) ? name.search(/pass|curl/) : name.indexOf(anchors.find((char) => name.includes(char)) ?? '');
}

const byAnchor = new Map<string, readonly Row[]>();
for (const row of rows) {
  const first = row.name.charAt(row.offset);
  byAnchor.set(first, [...(byAnchor.get(first) ?? []), row]);
}

function inCommand(between: string): string {
  return between
    .replaceAll('…', () => String.raw`[^\n|;&]{0,160}?`)
    .replaceAll(' _', () => String.raw` [^\s"',|;&<>]{1,128}`)
    .replaceAll(' ', () => String.raw`[ \t"',]{1,8}`);
}

function inCall(between: string): string {
  const argument = String.raw`\s{0,8}(?:["'\x60][^"'\x60\n]{0,128}["'\x60]|[\w.$]{1,64})\s{0,8},`;
  return String.raw`${between.replaceAll('@', () => argument)}\s{0,8}[bN@]?["'\x60]`;
}

/** What the search finds after an anchor, as expressions. */
export function positionPieces(first: string): readonly string[] {
  const own = (byAnchor.get(first) ?? []).filter(({ name }) => !isName.test(name));
  return own.map(({ name, offset }) => {
    const [before, after] = [patternOf(name.slice(0, offset)), patternOf(name.slice(offset + 1))];
    return before === '' ? after : `${after}(?<=${before}${first}${after})`;
  });
}

/** As much of each name as the kernel compares. */
export const positionNames: readonly string[] = rows.map(({ name }) => name.slice(-maxFragment));

/** The secret after a name whose anchor is at this place. */
export function secretByPosition(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  for (const { name, offset, expression, sureness } of byAnchor.get(text.charAt(at)) ?? []) {
    if (!text.startsWith(name, at - offset)) continue;
    expression.lastIndex = at - offset + name.length;
    if (!expression.test(text)) continue;
    const span = argumentAt(ends, expression.lastIndex, sureness);
    if (span !== undefined) return span;
  }
  return undefined;
}

/** The secret in an argument of a program, after the words before it. */
export function secretAfter(words: readonly string[], argument: string): Span | undefined {
  const before = `${words.join(' ')} "`;
  const own = rows.filter(({ name }) => before.startsWith(`${name} `));
  const ends = own.length === 0 ? undefined : new ValueEnds(`${before}${argument}"`);
  const span = ends && secretByPosition(ends, own[0]?.offset ?? 0);
  return span && span.start >= before.length
    ? { ...span, start: span.start - before.length, end: span.end - before.length }
    : undefined;
}

function argumentAt(ends: ValueEnds, start: number, sureness: Sureness): Span | undefined {
  const { text } = ends;
  const opening = /["'`]/.exec(text.charAt(start - 1))?.[0];
  const whole = text.slice(start, ends.opened(opening, start, 'word'));
  // Programs that type or print it end the line with an escape.
  const length = whole.search(opening === undefined ? /["'`|;&<>\])}@]|\\[rn]/ : /[\r\n]|\\[rn]/);
  const end = start + (length < 0 ? whole.length : length);
  const isFree = isSecret(text.slice(start, end), sureness) && maskedEnd(text, start) <= 0;
  return isFree ? { start, end, text: marker } : undefined;
}

function isSecret(value: string, sureness: Sureness): boolean {
  if (value.length < 4 || value.startsWith('-') || isPlaceholder(value) || isNameOfSecret(value) || isPath(value)) {
    return false;
  }
  if (sureness === 'token') return value.length >= 16 && (isOpaque(value) || isScrambled(value));
  if (sureness === 'password') return isLikely('password', value);
  return !isNumber(value) || value.length >= 6;
}
