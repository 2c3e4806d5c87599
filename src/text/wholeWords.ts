import { made } from './lazy';

// Where to cut a text that hasn't been searched for secrets yet: in no part of a word, since of half a secret nothing shows any longer that it
// is one.

/** How far away a word may begin or end, in UTF-16 units. A longer one is cut between its tokens. */
const maxWord = 2048;
/** Neither ASCII nor of an alphabet, such as Chinese, which has no spaces between its words; not half of a surrogate pair. */
const symbol = '(?![\\ud800-\\udfff])[^\\0-\\u007f\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lm}\\p{M}\\p{N}]';
/** What no word contains. */
const betweenWords = made(() => new RegExp(`[\\s"'\`]|${symbol}`, 'u'));
/** What no token contains, such as a key or a JWT. */
const betweenTokens = made(() => new RegExp(`[^\\w+/=.~\\u0080-\\uffff-]|${symbol}`, 'u'));

/** The last place up to `max` where the beginning of a longer text ends in no part of a word; 0 if it begins with a token longer than that. */
export function wholeWordsTo(text: string, max: number): number {
  if (betweenWords().test(text.charAt(max))) return max;
  const nearest = Math.max(0, max - maxWord);
  const word = lastPlace(text, max, nearest, betweenWords());
  const at = word > nearest ? word : lastPlace(text, max, 0, betweenTokens());
  return isLine(text, at, max) ? max : at;
}

/** The first place from `from` where the end of a longer text begins with no part of a word; its length if it ends with a token longer than that. */
export function wholeWordsFrom(text: string, from: number): number {
  if (betweenWords().test(text.charAt(from - 1))) return from;
  const nearest = Math.min(text.length, from + maxWord);
  const word = firstPlace(text, from, nearest, betweenWords());
  const at = word < nearest ? word : firstPlace(text, from, text.length, betweenTokens());
  return isLine(text, from, at) ? from : at;
}

/** The text of the first bytes of more, up to the last whole word. */
export function wholeWordsOf(bytes: Uint8Array): string {
  // In a stream, a character that isn't complete isn't decoded yet.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  return text.slice(0, wholeWordsTo(text, text.length));
}

/** Whether a part of a word is one character many times, such as a line between paragraphs, which says nothing about a secret. */
function isLine(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) !== text.charCodeAt(start)) return false;
  return end - start > 1;
}

function lastPlace(text: string, from: number, to: number, between: RegExp): number {
  let at = from;
  while (at > to && !between.test(text.charAt(at - 1))) at--;
  return at;
}

function firstPlace(text: string, from: number, to: number, between: RegExp): number {
  let at = from;
  while (at < to && !between.test(text.charAt(at))) at++;
  return at;
}
