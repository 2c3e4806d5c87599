import { cut } from '../log/text';

/** How much of a text a message keeps, in UTF-16 units; the raw line has all of it. */
export const maxText = 4096;

/** A text, cut where it is too long, which it then says. */
export function boundedText(text: string): string {
  return cut(text.trim(), maxText);
}
