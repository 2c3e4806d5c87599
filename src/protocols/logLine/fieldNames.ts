import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';

interface FieldName<T> {
  readonly role: T;
  /** Includes the closing quotation mark. */
  readonly text: ByteText;
}

/** Finds member names of a JSON object by their bytes. */
export class FieldNames<T> {
  private readonly names: readonly FieldName<T>[];

  /** @param roles the meaning of each name */
  constructor(roles: Readonly<Record<string, T>>) {
    this.names = Object.entries(roles).map(([name, role]) => ({ role, text: new ByteText(`${name}"`) }));
  }

  /** The name after an opening quotation mark; `undefined` if unknown. */
  at(chunk: ByteChunk, start: number, end: number): FieldName<T> | undefined {
    return this.names.find(({ text }) => text.isAt(chunk, start, end));
  }
}
