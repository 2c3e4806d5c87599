/** Redacts a text that comes in pieces. What it returns, joined, is the redacted text. */
export interface TextRedactor {
  /** Returns what of the text so far is redacted, if there is enough of it. */
  add(text: string): string;
  /** Returns the rest. Then another text may begin. */
  end(): string;
}
