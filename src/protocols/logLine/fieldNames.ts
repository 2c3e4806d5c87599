import { ByteChunk } from '../../log/byteChunk';

export interface FieldName<T> {
  readonly role: T;
  /** Its own, of those of an object. */
  readonly bit: number;
  /** With its closing quotation mark. */
  readonly length: number;
  readonly words: readonly number[];
  /** The one that came after it the last time. */
  next: FieldName<T> | undefined;
}

/** Names of members of a JSON object, found by their bytes. */
export class FieldNames<T> {
  private first: FieldName<T> | undefined;
  private readonly names: readonly FieldName<T>[];

  /** @param roles what each name stands for; names have four bytes at least, and the first four are no other's */
  constructor(roles: Readonly<Record<string, T>>) {
    this.names = Object.entries(roles).map(([name, role], index) => {
      const chunk = new ByteChunk(Buffer.from(`${name}"`));
      const length = chunk.bytes.length;
      const count = Math.ceil(length / 4);
      const words = Array.from({ length: count }, (_, n) => chunk.word(Math.min(n * 4, length - 4)));
      return { role, bit: 1 << index, length, words, next: undefined };
    });
  }

  /**
   * The name that stands behind an opening quotation mark; `undefined` for any other.
   * @param before the name before it: most writers have them always in the same order
   */
  at(chunk: ByteChunk, start: number, end: number, before: FieldName<T> | undefined): FieldName<T> | undefined {
    const guess = before ? before.next : this.first;
    if (guess && isAt(guess, chunk, start, end)) return guess;
    const found = this.names.find((name) => isAt(name, chunk, start, end));
    if (before) before.next = found;
    else this.first = found;
    return found;
  }
}

function isAt({ words, length }: FieldName<unknown>, chunk: ByteChunk, start: number, end: number): boolean {
  if (end - start < length) return false;
  const last = words.length - 1;
  for (let n = 0; n < last; n++) if (chunk.word(start + n * 4) !== words[n]) return false;
  return chunk.word(start + length - 4) === words[last];
}
