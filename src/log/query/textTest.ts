import { AsciiSearch, isAscii } from '../bytes/asciiSearch';

/** Looks for a text in others, in any case. */
export class TextTest {
  // An expression that ignores case makes no copy in lower case of each text.
  private readonly expression: RegExp;
  /** Whether the text is ASCII, so that it can be looked for in bytes. */
  readonly isAscii: boolean;
  /** Looks for it there faster, if it is not too short. */
  readonly search: AsciiSearch | undefined;

  /** @param text not empty */
  constructor(private readonly text: string) {
    this.expression = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
    this.isAscii = isAscii(text);
    this.search = AsciiSearch.for(text);
  }

  isIn(other: string): boolean {
    return this.indexIn(other, 0) >= 0;
  }

  /** Where it is from a place on, or -1. */
  indexIn(other: string, from: number): number {
    this.expression.lastIndex = from;
    return this.expression.test(other) ? this.expression.lastIndex - this.text.length : -1;
  }
}
