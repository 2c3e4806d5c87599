import type { ByteChunk } from '../byteChunk';
import type { LineRecord } from '../lineRecord';
import { nextTrigger } from './trigger';

/** Of so many names it is known whether one of them may be a secret, or its name. */
const maxNames = 1000;

interface Sought {
  readonly text: Buffer;
  /** Where it is next; nowhere between the line that was asked about and this. */
  at: number;
}

/** Tells of log messages whether a secret can be in their lines. What can be known once for many of them is found out once. */
export class LineSieve {
  readonly #sought: readonly Sought[];
  readonly #names = new Map<string, boolean>();
  #chunk: ByteChunk | undefined;
  #lastStart = 0;

  /** @param texts of which one is in every line with a value that is known to be secret */
  constructor(texts: readonly string[]) {
    this.#sought = texts.map((text) => ({ text: Buffer.from(text), at: -1 }));
  }

  /** Whether there is surely none. Asking about the lines of a chunk in their order is fast. */
  isClean(chunk: ByteChunk, line: LineRecord): boolean {
    return (
      this.#isWithoutValues(chunk, line.start, line.end) &&
      this.#isPlain(line.sessionId) &&
      this.#isPlain(line.logger) &&
      nextTrigger(textOf(chunk, line), 0) === undefined
    );
  }

  #isWithoutValues(chunk: ByteChunk, start: number, end: number): boolean {
    if (chunk !== this.#chunk || start < this.#lastStart) {
      this.#chunk = chunk;
      for (const sought of this.#sought) sought.at = -1;
    }
    this.#lastStart = start;
    for (const sought of this.#sought) if (find(sought, chunk.bytes, start) < end) return false;
    return true;
  }

  /** Whether a text in quotes gives no secret away: not by itself, and not as the name of what comes after it. */
  #isPlain(name: string | undefined): boolean {
    if (name === undefined) return true;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isPlain = nextTrigger(`"${name}"`, 0) === undefined;
    if (this.#names.size >= maxNames) this.#names.clear();
    this.#names.set(name, isPlain);
    return isPlain;
  }
}

function textOf(chunk: ByteChunk, { isAscii, textStart, end }: LineRecord): string {
  // A slice shares what it is a slice of.
  return isAscii ? chunk.text.slice(textStart, end) : chunk.bytes.toString('utf8', textStart, end);
}

function find(sought: Sought, bytes: Buffer, from: number): number {
  if (sought.at < from) {
    const at = bytes.indexOf(sought.text, from);
    sought.at = at < 0 ? Infinity : at;
  }
  return sought.at;
}
