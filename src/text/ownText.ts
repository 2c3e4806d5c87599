// In V8, a slice keeps the whole string in memory. What is kept for long has to be copied.

/** A copy of at most the first `max` UTF-16 units. */
export function ownHead(text: string, max: number): string {
  return text.length <= max ? text : ownCopy(text.slice(0, max));
}

/** A copy of at most the last `max` UTF-16 units. */
export function ownTail(text: string, max: number): string {
  return text.length <= max ? text : ownCopy(text.slice(-max));
}

/** A copy, of a text that may have been made of slices. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** A copy of both ends of a long text, with the number of characters left out on a line between them. At most about `max` UTF-16 units. */
export function ownEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const left = text.length - 2 * half;
  return ownCopy(`${text.slice(0, half)}\n… (${left} characters left out) …\n${text.slice(-half)}`);
}
