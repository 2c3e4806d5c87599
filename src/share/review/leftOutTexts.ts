import type { Pauses } from './pauses';

/** What stands for a quotation of a text that is left out. */
export const leftOut = '(left out)';

/** The length of what counts as a quotation, in letters and digits. */
const gram = 16;
/** A shorter text is found only as a whole. */
const minShort = 4;
/** Maximum length of all texts, in letters and digits. */
const maxCorpus = 8 * 1024 * 1024;
/** Up to this length, every place of the texts is in the index; beyond it, one in eight. */
const maxDense = 1024 * 1024;
/** How much of the texts is taken into the index at once. */
const maxPiece = 16 * 1024;
/** Maximum number of short texts that are searched for in all texts. */
const maxLookups = 500;

const quoted = /(["'“`])([^"'”`\n]{2,80})["'”`]/g;

/**
 * The texts that are left out of a run, to find where other texts quote them: titles, problems, log messages. Two texts are the same if
 * their letters and digits are, in whatever way they are cut, wrapped or escaped.
 */
export class LeftOutTexts {
  private readonly parts: string[] = [];
  private readonly shorts = new Set<string>();
  private readonly lookups = new Map<string, boolean>();
  private length = 0;
  private index: GramIndex | undefined;

  /** @param isWords the text is in a language, so that it is found even if it is short */
  add(text: string, isWords: boolean): void {
    const { letters } = lettersOf(text.slice(0, Math.max(0, maxCorpus - this.length)));
    if (isWords && letters.length >= minShort && letters.length < gram * 2) this.shorts.add(letters);
    if (letters.length < minShort) return;
    this.parts.push(letters);
    this.length += letters.length + 1;
  }

  /** Call once all texts are added. */
  async prepare(pauses: Pauses): Promise<void> {
    this.index = new GramIndex(this.parts.join('\n'));
    while (this.index.learn()) if (pauses.isDue) await pauses.pause();
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** The text without quotations. */
  strip(text: string): string {
    if (this.isEmpty || text.length < minShort) return text;
    const { letters, places } = lettersOf(text);
    if (this.shorts.has(letters)) return leftOut;
    const stripped = this.withoutGrams(text, letters, places);
    if (this.shorts.size === 0) return stripped;
    return stripped.replace(quoted, (all, quote: string, inner: string) =>
      this.shorts.has(lettersOf(inner).letters) ? `${quote}${leftOut}${all.slice(-1)}` : all,
    );
  }

  /** Whether a short text is in any of them. */
  has(text: string): boolean {
    const { letters } = lettersOf(text);
    if (letters.length < minShort) return false;
    const known = this.lookups.get(letters);
    if (known !== undefined) return known;
    const found = this.lookups.size >= maxLookups || this.parts.some((part) => part.includes(letters));
    this.lookups.set(letters, found);
    return found;
  }

  private withoutGrams(text: string, letters: string, places: Int32Array): string {
    if (letters.length < gram || !this.index) return text;
    let kept = '';
    let from = 0;
    for (const { start, end } of this.index.sharedWith(letters)) {
      kept += text.slice(from, places[start]) + leftOut;
      from = (places[end - 1] ?? 0) + 1;
    }
    return from === 0 ? text : kept + text.slice(from);
  }
}

interface Letters {
  /** Small letters and digits, and all that isn't ASCII. */
  readonly letters: string;
  /** Where each of them is in the text. */
  readonly places: Int32Array;
}

function lettersOf(text: string): Letters {
  const codes = new Uint16Array(text.length);
  const places = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) {
      // An escaped line break in JSON is no letter.
      while (text.charCodeAt(at + 1) === 92) at++;
      if ('nrt'.includes(text.charAt(at + 1))) at++;
      continue;
    }
    const isCapital = code >= 65 && code <= 90;
    const isLetter = isCapital || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 0xa0;
    if (!isLetter || (code >= 0x2000 && code <= 0x206f)) continue;
    codes[count] = isCapital ? code + 32 : code;
    places[count++] = at;
  }
  return { letters: textOf(codes.subarray(0, count)), places: places.subarray(0, count) };
}

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += 8192) text += String.fromCharCode(...codes.subarray(at, at + 8192));
  return text;
}

/** Finds pieces of a corpus in texts by hashes of `gram` characters (Rabin–Karp). */
class GramIndex {
  /** Places in the corpus from 1, by hash; 0 if there is none. */
  private readonly table: Int32Array;
  private readonly mask: number;
  private readonly sample: number;
  /** Up to where the corpus is in the table. */
  private learned = 0;

  constructor(private readonly corpus: string) {
    this.sample = corpus.length > maxDense ? 7 : 0;
    const entries = corpus.length / (this.sample + 1);
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1024, entries * 2.5))));
    this.mask = this.table.length - 1;
  }

  /** Takes a piece of the corpus into the table. Returns whether there is more. */
  learn(): boolean {
    const from = this.learned;
    this.learned += maxPiece;
    forEachGram(this.corpus.slice(from, this.learned + gram - 1), (hash, at) => {
      if ((hash & this.sample) === 0) this.add(hash, from + at);
      return at + 1;
    });
    return this.learned < this.corpus.length;
  }

  /** Where a text has pieces of the corpus, in order. */
  sharedWith(text: string): readonly { readonly start: number; readonly end: number }[] {
    const found: { readonly start: number; readonly end: number }[] = [];
    forEachGram(text, (hash, at) => {
      const place = (hash & this.sample) === 0 ? this.placeOf(hash, text, at) : -1;
      if (place < 0) return at + 1;
      const least = found.at(-1)?.end ?? 0;
      let [start, end] = [at, at + gram];
      while (start > least && place - (at - start) > 0 && this.same(place - (at - start) - 1, text, start - 1)) start--;
      while (end < text.length && this.same(place + end - at, text, end)) end++;
      found.push({ start, end });
      return end;
    });
    return found;
  }

  private same(place: number, text: string, at: number): boolean {
    return this.corpus.charCodeAt(place) === text.charCodeAt(at);
  }

  private add(hash: number, at: number): void {
    let slot = this.slotOf(hash);
    for (let tries = 0; tries < 64; tries++) {
      const known = this.table[slot] ?? 0;
      if (known === 0) {
        this.table[slot] = at + 1;
        return;
      }
      if (this.isGram(known - 1, this.corpus, at)) return;
      slot = (slot + 1) & this.mask;
    }
  }

  private placeOf(hash: number, text: string, at: number): number {
    let slot = this.slotOf(hash);
    for (let tries = 0; tries < 64; tries++) {
      const known = this.table[slot] ?? 0;
      if (known === 0) return -1;
      if (this.isGram(known - 1, text, at)) return known - 1;
      slot = (slot + 1) & this.mask;
    }
    return -1;
  }

  private slotOf(hash: number): number {
    return (Math.imul(hash, 0x9e3779b1) >>> 7) & this.mask;
  }

  private isGram(place: number, text: string, at: number): boolean {
    for (let index = 0; index < gram; index++) if (!this.same(place + index, text, at + index)) return false;
    return true;
  }
}

const base = 31;
const highest = Array.from({ length: gram - 1 }).reduce((power: number) => Math.imul(power, base), 1);

/** Calls `use` with the hash of each gram, which returns where to go on. */
function forEachGram(text: string, use: (hash: number, at: number) => number): void {
  let at = 0;
  while (at + gram <= text.length) {
    let hash = 0;
    for (let index = at; index < at + gram; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
    for (;;) {
      const next = use(hash, at);
      if (next !== at + 1) {
        at = next;
        break;
      }
      if (at + gram >= text.length) return;
      hash = (hash - Math.imul(text.charCodeAt(at), highest)) | 0;
      hash = (Math.imul(hash, base) + text.charCodeAt(at + gram)) | 0;
      at++;
    }
  }
}
