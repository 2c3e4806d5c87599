import type { Span } from './span';
import { mergedSpans } from './span';
import type { TextRedactor } from './textRedactor';

/** How much new text is searched at once, in characters. */
const pieceChars = 64 * 1024;
/** What has to follow a place before the text up to there is given away: whether a secret begins there may show only then, in characters. */
const heldBack = 8 * 1024;
/** What is kept of the text before, because a name may come long before its value, in characters. */
const context = 8 * 1024;
/** A secret that is still open after so many characters is replaced, and its middle is forgotten. */
const maxOpen = 3 * pieceChars;
/** The same if the secret can't be recognized without its middle. */
const maxKept = 1024 * 1024;
/** How much is kept of the beginning and the end of such a secret, in characters. */
const ends = 1024;

const unsearched = '(left out: it could not be searched for secrets)';

/** Whether a place is surely not in the middle of an escape. */
const escapes = /[\\%&]/;
const maxEscape = 16;

/**
 * Redacts a text that comes in pieces and may be far longer than memory. It is cut only where no secret is open, so that what comes
 * out is the same wherever the pieces end. At most about 1 MiB of it is held.
 *
 * A match of a user's pattern is found whole if it has at most 8 K characters, what it looks at before and behind itself included.
 */
export class LongText implements TextRedactor {
  #text = '';
  /** What of the text has been given away. */
  #done = 0;
  /** Whether that ends in the middle of a secret that has been replaced. */
  #isOpen = false;

  /** @param find returns the secrets of a text. The text may begin and end anywhere in the whole one. */
  constructor(private readonly find: (text: string) => readonly Span[]) {}

  /** Adds text. Returns what is now known to be free of secrets: mostly nothing, or about 64 K characters. */
  add(text: string): string {
    this.#text += text;
    return this.#text.length - this.#done < pieceChars + heldBack ? '' : this.#take(this.#text.length - heldBack);
  }

  /** Returns the rest. Then another text may begin. */
  end(): string {
    const rest = this.#take(Infinity);
    this.#text = '';
    this.#done = 0;
    this.#isOpen = false;
    return rest;
  }

  #take(limit: number): string {
    const spans = this.#spansIn(this.#text);
    const open = spans.find(({ start, end }) => start < limit && end > limit);
    const isStillOpen = open !== undefined && open.start < this.#done;
    if (this.#isOpen && !isStillOpen) this.#passSecret(spans);
    if (open === undefined || open.start > this.#done) {
      const redacted = this.#redactedTo(open?.start ?? wholeTo(this.#text, limit), spans);
      this.#forget(spans);
      return redacted;
    }
    const length = this.#text.length - open.start;
    return length < maxOpen ? '' : this.#passMiddle(open, length >= maxKept);
  }

  /** A user's pattern may fail, for example on excessive backtracking. */
  #spansIn(text: string): readonly Span[] {
    try {
      return mergedSpans(this.find(text));
    } catch {
      return [{ start: 0, end: text.length, text: unsearched }];
    }
  }

  /** Passes what has come of a secret that has been replaced. */
  #passSecret(spans: readonly Span[]): void {
    const rest = spans.find(({ start, end }) => start < this.#done && end >= this.#done);
    const next = this.#text.slice(this.#done).search(/["'\s]/);
    // If it can't be recognized without its middle, it goes on to where hardly any secret does not end.
    if (rest !== undefined || next >= 0) this.#isOpen = false;
    this.#done = rest?.end ?? (next < 0 ? this.#text.length : this.#done + next);
  }

  #redactedTo(end: number, spans: readonly Span[]): string {
    let redacted = '';
    for (const span of spans) {
      if (span.end <= this.#done || span.start >= end) continue;
      redacted += this.#text.slice(this.#done, Math.max(this.#done, span.start)) + span.text;
      this.#done = span.end;
    }
    redacted += this.#text.slice(this.#done, Math.max(this.#done, end));
    this.#done = Math.max(this.#done, end);
    return redacted;
  }

  /** Forgets what came long before, but not the beginning of a secret: its end would look like something else. */
  #forget(spans: readonly Span[]): void {
    const from = Math.max(0, this.#done - context);
    const torn = spans.find(({ start, end }) => start < from && end > from);
    this.#keepFrom(torn === undefined ? from : Math.min(torn.end, this.#done));
  }

  #keepFrom(from: number): void {
    this.#text = this.#text.slice(from);
    this.#done -= from;
  }

  /** Gives away the replacement of a secret that is still open, and keeps only its beginning and its end so far. */
  #passMiddle(open: Span, isTooLong: boolean): string {
    const text = this.#text;
    const headEnd = wholeBefore(text, open.start + ends);
    const tailStart = wholeBefore(text, text.length - ends);
    const short = text.slice(0, headEnd) + text.slice(tailStart);
    const isKnown = this.#spansIn(short).some(({ start, end }) => start <= open.start && end === short.length);
    if (!isKnown && !isTooLong) return '';
    const replacement = this.#isOpen ? '' : open.text;
    this.#text = short;
    this.#done = short.length;
    this.#isOpen = true;
    return replacement;
  }
}

/** Several redactors one after the other. */
export class ChainedText implements TextRedactor {
  constructor(private readonly texts: readonly TextRedactor[]) {}

  add(text: string): string {
    return this.texts.reduce((piece, one) => one.add(piece), text);
  }

  end(): string {
    return this.texts.reduce((piece, one) => one.add(piece) + one.end(), '');
  }
}

/** A place at or before this one that isn't in the middle of a character. */
function wholeTo(text: string, at: number): number {
  const end = Math.min(at, text.length);
  const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end - 1 : end;
}

/** A place before this one that isn't in the middle of an escape, if there is one near. */
function wholeBefore(text: string, at: number): number {
  for (let place = at; place > at - 200; place--) {
    if (!escapes.test(text.slice(place - maxEscape, place))) return place;
  }
  return at;
}
