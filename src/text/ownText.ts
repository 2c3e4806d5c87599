import { wholeWordsFrom, wholeWordsTo } from './wholeWords';

// In V8, a slice keeps the whole string in memory. What is kept for long has to be copied.

/** A copy of at most the first `max` UTF-16 units. Ends in no part of a word, like `cut`. */
export function ownHead(text: string, max: number): string {
  return text.length <= max ? text : ownCopy(text.slice(0, wholeWordsTo(text, max)));
}

/** A copy of at most the last `max` UTF-16 units. Begins with no part of a word. */
export function ownTail(text: string, max: number): string {
  return text.length <= max ? text : ownCopy(text.slice(wholeWordsFrom(text, text.length - max)));
}

/** A copy of at most the first `max` UTF-16 units, cut anywhere: of IDs and names, which are only compared and looked up. */
export function ownKey(text: string, max: number): string {
  return text.length <= max ? text : ownCopy(text.slice(0, max));
}

/** A copy, of a text that may have been made of slices. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Both ends of a long text, with the number of characters left out on a line between them. At most about `max` UTF-16 units, and no parts of words. */
export function ownEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const head = wholeWordsTo(text, half);
  const tail = wholeWordsFrom(text, text.length - half);
  return ownCopy(`${text.slice(0, head)}\n… (${tail - head} characters left out) …\n${text.slice(tail)}`);
}
