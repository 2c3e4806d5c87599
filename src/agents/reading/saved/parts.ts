import type { JsonObject } from '../../../text/json';
import { arrayOf, objectOf, textOf } from '../../../text/json';

/** Maximum number of parts to read from one message. */
const maxParts = 200;

/** The parts of a message, such as texts and tool calls. */
export function partsOf(content: unknown): readonly JsonObject[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : arrayOf(content).slice(0, maxParts).map(objectOf);
}

/** The texts in a text, a list of texts, or of parts with a text. */
export function textIn(content: unknown, between = '\n'): string {
  if (typeof content === 'string') return content;
  return arrayOf(content)
    .slice(0, maxParts)
    .flatMap((part) => textOf(part) ?? textOf(objectOf(part)['text']) ?? [])
    .join(between);
}

/** The number that the pattern's first group matches, such as an exit code. */
export function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** How much of the end of a text to look at, in characters. In all of a long text, a pattern may be looked for at each of its characters. */
const maxEnd = 300;

/** The text without an ending that matches. */
export function withoutEnd(text: string, pattern: RegExp): string {
  const start = Math.max(0, text.length - maxEnd);
  const end = pattern.exec(text.slice(start));
  return end ? text.slice(0, start + end.index) : text;
}
