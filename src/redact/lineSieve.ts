import { ByteSearch } from '../text/bytes/byteSearch';
import type { ByteChunk } from '../text/bytes/byteChunk';
import type { Line } from '../text/bytes/line';
import type { LineRecord } from '../text/bytes/lineRecord';
import { mayHoldSecret, mayShowSecret, rareCharacters } from './scan';

const openBrace = 123;

/** Finds lines that certainly have no secret, without making text of them. Most of its work is done once for all lines of a chunk. */
export class LineSieve {
  #chunk: ByteChunk | undefined;
  /** For each of the texts, in the chunk. */
  readonly #searches: readonly ByteSearch[];
  /** Likewise, for characters that a secret may be at. */
  readonly #rare = rareCharacters.map((text) => new ByteSearch(text.charCodeAt(0)));

  /** @param texts one of them is in every line that has a known secret */
  constructor(texts: readonly string[]) {
    this.#searches = texts.map((text) => new ByteSearch(Buffer.from(text)));
  }

  /**
   * Only lines that begin as a JSON object and have their bytes are looked at. Fast if the lines of a chunk come in order.
   * @param log what the line was read as, if it is a log message
   */
  isClean(line: Line, log?: LineRecord): boolean {
    const { chunk, start, end } = line;
    if (!chunk || chunk.bytes[start] !== openBrace || line.content === 'other') return false;
    if (chunk !== this.#chunk) this.#begin(chunk);
    if (isAny(this.#searches, start, end)) return false;
    if (log?.hasPlainNames === false) return false;
    const text = log ? line.searchTextFrom(log.textStart) : line.searchText;
    const isPlain = line.content === 'ascii' && !isAny(this.#rare, start, end);
    return !(isPlain ? mayShowSecret(text) : mayHoldSecret(text));
  }

  #begin(chunk: ByteChunk): void {
    this.#chunk = chunk;
    for (const search of this.#searches) search.begin(chunk.bytes);
    for (const search of this.#rare) search.begin(chunk.bytes);
  }
}

function isAny(searches: readonly ByteSearch[], start: number, end: number): boolean {
  for (const search of searches) if (search.isIn(start, end)) return true;
  return false;
}
