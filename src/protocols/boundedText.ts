import { cut } from '../text/text';

/** Maximum length of a message's text, in UTF-16 units; the raw line isn't cut. */
export const maxText = 4096;

/** Cuts a long text and adds a note about it. */
export function boundedText(text: string): string {
  return cut(text.trim(), maxText);
}
