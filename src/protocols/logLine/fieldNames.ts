import type { ByteChunk } from '../../log/byteChunk';
import { ByteText } from '../../log/byteText';

export interface FieldName<T> {
  readonly role: T;
  /** Its own, of those of an object. */
  readonly bit: number;
  /** With its closing quotation mark. */
  readonly text: ByteText;
  /** The one that came after it the last time. */
  next: FieldName<T> | undefined;
}

/** Names of members of a JSON object, found by their bytes. */
export class FieldNames<T> {
  private first: FieldName<T> | undefined;
  private readonly names: readonly FieldName<T>[];

  /** @param roles what each name stands for; names have three bytes at least */
  constructor(roles: Readonly<Record<string, T>>) {
    this.names = Object.entries(roles).map(([name, role], index) => {
      return { role, bit: 1 << index, text: new ByteText(`${name}"`), next: undefined };
    });
  }

  /**
   * The name that stands behind an opening quotation mark; `undefined` for any other.
   * @param before the name before it: most writers have them always in the same order
   */
  at(chunk: ByteChunk, start: number, end: number, before: FieldName<T> | undefined): FieldName<T> | undefined {
    const guess = before ? before.next : this.first;
    if (guess?.text.isAt(chunk, start, end) === true) return guess;
    const found = this.names.find(({ text }) => text.isAt(chunk, start, end));
    if (before) before.next = found;
    else this.first = found;
    return found;
  }
}
