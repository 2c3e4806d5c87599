/** The beginning of a text that is kept for long, of `max` UTF-16 units at most. */
export function keptStart(text: string, max: number): string {
  return text.length <= max ? text : copyOf(text.slice(0, max));
}

/** The end of a text that is kept for long, likewise. */
export function keptEnd(text: string, max: number): string {
  return text.length <= max ? text : copyOf(text.slice(-max));
}

/** V8 keeps all of a text in memory of which a slice is kept. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}
