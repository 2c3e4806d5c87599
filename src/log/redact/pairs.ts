import type { Quote } from './rawText';
import { afterQuoted, isNameCode, isSameQuote, opensValue, quoteAt, runEnd, skipBlanks } from './rawText';
import type { ValueEnds } from './valueEnds';

/** Where a value's text is. */
interface Place {
  readonly start: number;
  readonly end: number;
}

const nameMember = /(?:^|[^\w-])(?:name|key|header|variable|field)(?:\\*["'`]?[ \t]*:[ \t]*|(=))\\*["'`]$/i;

/** In XML: `<add key="…" value="…" />`. */
const valueAttribute = /[ \t]{1,8}value=(?=\\*["'])/y;

/** How far apart a name and a value may be, in members of the object and in characters. */
const maxMembers = 4;
const maxDistance = 4096;

/**
 * The values that belong to a name which is itself a value, in either order: `{"name":"API_KEY","value":"…"}`, as ACP and MCP have
 * environment variables and headers.
 * @param start where the name begins
 * @param quote the quote that closes it
 */
export function pairedValues(ends: ValueEnds, start: number, quote: Quote): readonly Place[] {
  const { text } = ends;
  const before = text.slice(Math.max(0, start - 48), start);
  const member = nameMember.exec(before);
  if (member === null) return [];
  if (member[1] !== undefined) return attributeAfter(ends, quote);
  const after = valueAfter(ends, quote.end);
  if (after !== undefined) return [after];
  const ahead = valueBefore(ends, start - before.length + member.index);
  return ahead === undefined ? [] : [ahead];
}

/** The `value` of the same element. */
function attributeAfter(ends: ValueEnds, name: Quote): readonly Place[] {
  const { text } = ends;
  valueAttribute.lastIndex = name.end;
  const quote = valueAttribute.test(text) ? quoteAt(text, valueAttribute.lastIndex) : undefined;
  return quote === undefined || !isSameQuote(quote, name) ? [] : [{ start: quote.end, end: ends.quoted(quote) }];
}

/** The `value` that follows, with up to three members in between. */
function valueAfter(ends: ValueEnds, from: number): Place | undefined {
  const { text } = ends;
  let at = from;
  for (let n = 0; n < maxMembers && at - from < maxDistance; n++) {
    const comma = skipBlanks(text, at);
    if (text.charAt(comma) !== ',') return undefined;
    const place = memberAt(ends, skipBlanks(text, comma + 1));
    if (place === undefined || place.isValue) return place;
    at = place.next;
  }
  return undefined;
}

/** The `value` that is right before. */
function valueBefore(ends: ValueEnds, end: number): Place | undefined {
  const { text } = ends;
  const from = Math.max(0, end - maxDistance);
  const found = text.slice(from, end).lastIndexOf('value');
  if (found < 0) return undefined;
  let at = from + found;
  while (at > 0 && from + found - at < 9 && '"\'`\\'.includes(text.charAt(at - 1))) at--;
  const place = memberAt(ends, at);
  if (place?.isValue !== true) return undefined;
  return /^[ \t]*,?[ \t]*\\*["'`]?$/.test(text.slice(place.next, end + 1)) ? place : undefined;
}

interface Member extends Place {
  readonly isValue: boolean;
  readonly next: number;
}

/** A member with a simple value: a text, a number, a literal. */
function memberAt(ends: ValueEnds, at: number): Member | undefined {
  const { text } = ends;
  const nameStart = quoteAt(text, at)?.end ?? at;
  const nameEnd = runEnd(text, nameStart);
  if (nameEnd <= nameStart) return undefined;
  const nameQuote = quoteAt(text, nameEnd);
  const colon = skipBlanks(text, nameQuote?.end ?? nameEnd);
  if (text.charAt(colon) !== ':') return undefined;
  const valueStart = skipBlanks(text, colon + 1);
  const quote = quoteAt(text, valueStart);
  if (quote !== undefined) {
    if (!opensValue(text, nameQuote, quote)) return undefined;
    const end = ends.quoted(quote);
    const isValue = text.slice(nameStart, nameEnd).toLowerCase() === 'value';
    return { start: quote.end, end, isValue, next: afterQuoted(text, end) };
  }
  let end = valueStart;
  while (isNameCode(text.charCodeAt(end)) || text.charAt(end) === '.') end++;
  return end === valueStart ? undefined : { start: valueStart, end, isValue: false, next: end };
}
