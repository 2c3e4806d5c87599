import { AsciiSearch, isAscii } from '../text/bytes/asciiSearch';
import { literal } from './literal';

/** Searches for a text in others, ignoring case. */
export class TextTest {
  // Unlike `toLowerCase`, this copies no text.
  private readonly expression: RegExp;
  /** Whether the text is ASCII, so that bytes can be searched. */
  readonly isAscii: boolean;
  /** A faster search in bytes; `undefined` if the text is too short. */
  readonly search: AsciiSearch | undefined;

  /** @param text not empty */
  constructor(private readonly text: string) {
    this.expression = literal(text, 'g');
    this.isAscii = isAscii(text);
    this.search = AsciiSearch.for(text);
  }

  isIn(other: string): boolean {
    return this.indexIn(other, 0) >= 0;
  }

  /** The position of the first occurrence at or after `from`, or -1. */
  indexIn(other: string, from: number): number {
    this.expression.lastIndex = from;
    return this.expression.test(other) ? this.expression.lastIndex - this.text.length : -1;
  }
}
