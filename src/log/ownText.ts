// In V8, a slice keeps the whole string in memory. What is kept for long has to be copied.

/** A copy of at most the first `max` UTF-16 units. */
export function ownHead(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(0, max));
}

/** A copy of at most the last `max` UTF-16 units. */
export function ownTail(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(-max));
}

function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
