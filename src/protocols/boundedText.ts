import { cut } from '../log/text';

/** How much of a text a message keeps, in UTF-16 units; the raw line has all of it. */
export const maxText = 4096;

/** A text, cut if it is too long, with a note that says so. */
export function boundedText(text: string): string {
  return cut(text.trim(), maxText);
}
