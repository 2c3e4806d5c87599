import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';

interface FieldName<T> {
  readonly role: T;
  /** With its closing quotation mark. */
  readonly text: ByteText;
}

/** Names of members of a JSON object, found by their bytes. */
export class FieldNames<T> {
  private readonly names: readonly FieldName<T>[];

  /** @param roles what each name stands for */
  constructor(roles: Readonly<Record<string, T>>) {
    this.names = Object.entries(roles).map(([name, role]) => ({ role, text: new ByteText(`${name}"`) }));
  }

  /** The name that stands behind an opening quotation mark; `undefined` for any other. */
  at(chunk: ByteChunk, start: number, end: number): FieldName<T> | undefined {
    return this.names.find(({ text }) => text.isAt(chunk, start, end));
  }
}
