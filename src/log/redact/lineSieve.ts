import { ByteSearch } from '../bytes/byteSearch';
import type { ByteChunk } from '../bytes/byteChunk';
import type { Line } from '../bytes/line';
import { mayHoldSecret } from './scan';

const openBrace = 123;

/** Finds lines that certainly have no secret, without making text of them. Most of its work is done once for all lines of a chunk. */
export class LineSieve {
  readonly #texts: readonly Buffer[];
  #chunk: ByteChunk | undefined;
  /** For each of the texts, in the chunk. */
  #searches: readonly ByteSearch[] = [];

  /** @param texts one of them is in every line that has a known secret */
  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text));
  }

  /** Only lines that begin as a JSON object and have their bytes are looked at. Fast if the lines of a chunk come in order. */
  isClean(line: Line): boolean {
    const { chunk, start, end } = line;
    if (!chunk || chunk.bytes[start] !== openBrace || line.content === 'other') return false;
    return !this.#hasValue(chunk, start, end) && !mayHoldSecret(line.searchText);
  }

  #hasValue(chunk: ByteChunk, start: number, end: number): boolean {
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#searches = this.#texts.map((text) => new ByteSearch(chunk.bytes, text));
    }
    for (const search of this.#searches) if (search.isIn(start, end)) return true;
    return false;
  }
}
