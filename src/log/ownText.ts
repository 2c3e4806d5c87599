// What is cut out of a text keeps all of it in memory, however little was wanted: what is kept for long is copied.

/** The first `max` UTF-16 units at most, which share nothing with the rest. */
export function ownHead(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(0, max));
}

/** The last `max` UTF-16 units at most, which share nothing with the rest. */
export function ownTail(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(-max));
}

function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
