import { patternOf } from '../../text/text';
import type { Shape } from './shape';
import { shapes } from './shapeTable';
import type { Span } from '../span';
import { masked } from '../span';
import { isFiller, isOpaque, isUnpronounceable } from '../values';

/** A shape, ready to be looked for. */
interface Row extends Shape {
  /** What follows the prefix: sticky, and one character class, so that it takes linear time. */
  readonly rest: RegExp;
  /** The same without end, for what was accepted. */
  readonly tail: RegExp | undefined;
  /** What comes before the prefix: looks back from it. */
  readonly head: RegExp | undefined;
  /** The character of the prefix that the search looks for, and its place in the prefix. */
  readonly anchor: string;
  readonly offset: number;
}

/** The characters that the search may begin with. They are few: see `trigger.ts`. First those that most prefixes end with. */
const anchors = 'GKBPAC-_vkycp';

const rareAnchor = '~';

/** How much of a token without a maximum length is judged, in characters. */
const maxJudged = 64;

/** Maximum number of characters before what is `inside`: the header of a JWT has to end. */
const maxBeforeInside = 1024;

/** A longer prefix goes before a shorter one that it begins with. */
const rows = [...shapes].sort((a, b) => b.prefix.length - a.prefix.length).map(prepared);
const byFirst = groupedBy(rows, ({ prefix }) => prefix.charAt(0));
const byAnchor = groupedBy(rows, ({ anchor }) => anchor);
/** The same by the character before the anchor, too: a dash alone is in a third of them. */
const byAnchorEnd = groupedBy(rows, ({ prefix, offset }) => prefix.slice(Math.max(0, offset - 1), offset + 1));

function prepared(shape: Shape): Row {
  const { alphabet, min, max, before, prefix, inside } = shape;
  const anchor = Array.from(rareAnchor + anchors).find((char) => prefix.includes(char)) ?? '';
  const edge = max === undefined ? '' : '(?![A-Za-z0-9])';
  const judged = inside === undefined ? maxJudged : maxBeforeInside;
  return {
    ...shape,
    rest: new RegExp(`[${alphabet}]{${min},${max ?? Math.max(min, judged)}}${edge}`, 'y'),
    tail: max === undefined ? new RegExp(`[${alphabet}]*`, 'y') : undefined,
    head:
      before === undefined ? undefined : new RegExp(String.raw`(?<=(?:(?<![A-Za-z0-9])|\\[bfnrt])(${before}))`, 'y'),
    anchor,
    offset: prefix.lastIndexOf(anchor),
  };
}

function groupedBy(all: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of all) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** The token that begins at this place. */
export function shapeAt(text: string, start: number): Span | undefined {
  for (const row of byFirst.get(text.charAt(start)) ?? []) {
    const found = row.head === undefined ? matchOf(row, text, start) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The token whose prefix has its anchor at this place. */
export function shapeAround(text: string, at: number): Span | undefined {
  for (const length of [2, 1]) {
    for (const row of byAnchorEnd.get(text.slice(Math.max(0, at + 1 - length), at + 1)) ?? []) {
      const found = matchOf(row, text, at - row.offset);
      // A longer prefix may begin with this one: `sk-ant-` and `sk-`.
      if (found !== undefined) return shapeAt(text, found.start) ?? found;
    }
  }
  return undefined;
}

function matchOf({ prefix, rest, tail, head, opaque, inside, form }: Row, text: string, at: number): Span | undefined {
  if (at < 0 || !text.startsWith(prefix, at)) return undefined;
  const start = head === undefined ? boundary(text, at) : headStart(head, text, at);
  if (start < 0) return undefined;
  const from = at + prefix.length;
  rest.lastIndex = from;
  if (!rest.test(text)) return undefined;
  const token = text.slice(from, rest.lastIndex);
  if (inside !== undefined && !token.includes(inside)) return undefined;
  if (form?.test(token) === false || (token !== '' && isFiller(token))) return undefined;
  if (opaque === true && !isOpaque(token) && !isUnpronounceable(token)) return undefined;
  let end = rest.lastIndex;
  if (tail !== undefined) {
    tail.lastIndex = end;
    tail.test(text);
    end = tail.lastIndex;
  }
  // A full stop ends the sentence.
  while (end > from && text.charAt(end - 1) === '.') end--;
  return { start, end, text: masked(head === undefined ? prefix : '') };
}

const afterEscape = /(?:\\[bfnrt]|\\u00[0-9a-fA-F]{2}|[[;]\d{1,3}m|%[0-9A-F]{2})$/;

function boundary(text: string, at: number): number {
  if (at === 0 || !/[A-Za-z0-9-]/.test(text.charAt(at - 1))) return at;
  return afterEscape.test(text.slice(Math.max(0, at - 6), at)) ? at : -1;
}

function headStart(head: RegExp, text: string, at: number): number {
  head.lastIndex = at;
  const length = head.exec(text)?.[1]?.length;
  return length === undefined ? -1 : at - length;
}

/** The shapes with a character that is so rare that looking for it alone takes next to no time. */
export function rareShapes(text: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(rareAnchor); at >= 0; at = text.indexOf(rareAnchor, at + 1)) {
    const shape = shapeAround(text, at);
    if (shape !== undefined) found.push(shape);
  }
  return found;
}

/** What comes after a prefix is as long as a token, which most names are not. */
const begins = String.raw`(?=[\w+/=.%-]{16})`;

/** Before a short prefix must be no letter or digit, unless it is that of an escape: it would be found in words. */
const edge = String.raw`(?:^|[^A-Za-z0-9]|\\[bfnrt]|u00[0-9a-fA-F]{2}|\dm|%[0-9A-F]{2})`;

/** What the search looks for after an anchor, as expressions. */
export function shapePieces(anchor: string): readonly string[] {
  const group = byAnchor.get(anchor) ?? [];
  // Of prefixes that end with their anchor, one look back finds all.
  const ending = group.filter(endsWithAnchor);
  const others = group.filter((row) => !endsWithAnchor(row)).map(pieceOf);
  const looks = [
    ...lookBack(ending.filter(isLong), ''),
    ...lookBack(
      ending.filter((row) => !isLong(row)),
      edge,
    ),
  ];
  if (looks.length > 0) others.push(`(?:${looks.join('|')})${begins}`);
  return others;
}

function endsWithAnchor({ prefix, offset, before }: Row): boolean {
  return before === undefined && offset > 0 && offset === prefix.length - 1;
}

function isLong({ prefix }: Row): boolean {
  return prefix.length > 3;
}

function lookBack(rows: readonly Row[], limit: string): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const heads = rows.map(({ prefix }) => prefix.slice(0, -1));
  // The last characters, each by itself, show for most places that no prefix ends there.
  const length = Math.min(3, ...heads.map((head) => head.length));
  const sets = Array.from({ length }, (_, n) => setOf(heads.map((head) => head.charAt(head.length - length + n))));
  return [`(?<=${sets.join('')}${first.anchor})(?<=${limit}${suffixTree(heads)}${first.anchor})`];
}

function setOf(chars: readonly string[]): string {
  return `[${[...new Set(chars)].join('').replace(/[\]\\^-]/g, '\\$&')}]`;
}

function pieceOf({ prefix, alphabet, min, offset, before }: Row): string {
  const after = patternOf(prefix.slice(offset + 1));
  const ahead = min === 0 ? '' : `(?=[${alphabet}]{${Math.min(min, 16)}})`;
  const isShort = prefix.length < 4 && before === undefined;
  const limit = isShort ? edge : before === undefined ? '' : `(?:${before})`;
  const behind = offset > 0 || limit !== '' ? `(?<=${limit}${patternOf(prefix)})` : '';
  return `${after}${ahead}${behind}`;
}

/** An expression for texts, which are looked at from their end: what several end with is looked at once. */
function suffixTree(texts: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const last = text.slice(-1);
    groups.set(last, [...(groups.get(last) ?? []), text.slice(0, -1)]);
  }
  const branches = [...groups].map(([last, heads]) => {
    if (last === '') return '';
    // Once the rest is one text, or one of them ends here, there is nothing more to tell.
    return heads.includes('') ? patternOf(last) : `${suffixTree(heads)}${patternOf(last)}`;
  });
  return branches.length === 1 ? (branches[0] ?? '') : `(?:${branches.join('|')})`;
}
