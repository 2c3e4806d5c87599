import { ByteSearch } from '../bytes/byteSearch';
import type { ByteChunk } from '../bytes/byteChunk';
import type { Line } from '../bytes/line';
import type { LineRecord } from '../store/lineRecord';
import { mayHoldSecret } from './scan';

const openBrace = 123;
/** How many names are remembered. */
const maxNames = 1000;

/** Finds lines that certainly have no secret, without making text of them. Most of its work is done once for all lines of a chunk. */
export class LineSieve {
  readonly #texts: readonly Buffer[];
  /** Whether a name is surely no secret, and not the name of one. */
  readonly #plainNames = new Map<string, boolean>();
  #chunk: ByteChunk | undefined;
  /** For each of the texts, in the chunk. */
  #searches: readonly ByteSearch[] = [];

  /** @param texts one of them is in every line that has a known secret */
  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text));
  }

  /**
   * Only lines that begin as a JSON object and have their bytes are looked at. Fast if the lines of a chunk come in order.
   * @param log what the line was read as: its names are looked at once, not in each line
   */
  isClean(line: Line, log?: LineRecord): boolean {
    const { chunk, start, end } = line;
    if (!chunk || chunk.bytes[start] !== openBrace || line.content === 'other') return false;
    if (this.#hasValue(chunk, start, end)) return false;
    if (!log) return !mayHoldSecret(line.searchText);
    return (
      this.#isPlain(log.sessionId) && this.#isPlain(log.logger) && !mayHoldSecret(line.searchTextFrom(log.textStart))
    );
  }

  #isPlain(name: string | undefined): boolean {
    if (name === undefined) return true;
    const known = this.#plainNames.get(name);
    if (known !== undefined) return known;
    const isPlain = !mayHoldSecret(`"${name}"`);
    if (this.#plainNames.size >= maxNames) this.#plainNames.clear();
    this.#plainNames.set(name, isPlain);
    return isPlain;
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
