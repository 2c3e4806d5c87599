import type { ByteChunk } from '../bytes/byteChunk';
import { ByteSearch } from '../bytes/byteSearch';
import type { LineRecord } from '../store/lineRecord';
import { mayHoldSecret } from './scan';

/** Of so many names it is known whether one of them may be a secret, or its name. */
const maxNames = 1000;

/** Tells of log messages whether a secret can be in their lines. What can be known once for many of them is found out once. */
export class LineSieve {
  readonly #texts: readonly Buffer[];
  readonly #names = new Map<string, boolean>();
  #chunk: ByteChunk | undefined;
  /** For each of the texts, in the chunk. */
  #searches: readonly ByteSearch[] = [];

  /** @param texts of which one is in every line with a value that is known to be secret */
  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text));
  }

  /** Whether there is surely none. Asking about the lines of a chunk in their order is fast. */
  isClean(chunk: ByteChunk, line: LineRecord): boolean {
    return (
      this.#isWithoutValues(chunk, line.start, line.end) &&
      this.#isPlain(line.sessionId) &&
      this.#isPlain(line.logger) &&
      !mayHoldSecret(textOf(chunk, line))
    );
  }

  #isWithoutValues(chunk: ByteChunk, start: number, end: number): boolean {
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#searches = this.#texts.map((text) => new ByteSearch(chunk.bytes, text));
    }
    for (const search of this.#searches) if (search.isIn(start, end)) return false;
    return true;
  }

  /** Whether a text in quotes gives no secret away: not by itself, and not as the name of what comes after it. */
  #isPlain(name: string | undefined): boolean {
    if (name === undefined) return true;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isPlain = !mayHoldSecret(`"${name}"`);
    if (this.#names.size >= maxNames) this.#names.clear();
    this.#names.set(name, isPlain);
    return isPlain;
  }
}

function textOf(chunk: ByteChunk, { isAscii, textStart, end }: LineRecord): string {
  // A slice shares what it is a slice of.
  return isAscii ? chunk.text.slice(textStart, end) : chunk.bytes.toString('utf8', textStart, end);
}
