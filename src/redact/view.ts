import { writtenAnsi } from '../text/text';
import type { Span } from './span';
import { replaceSpans } from './span';

/** A text as a person reads it, with the place of each piece in the original line. */
export interface View {
  readonly text: string;
  /** The text before its last decoding. */
  readonly written: string;
  /** The same piece of the line. */
  original(span: Span): Span;
}

/** The original line. */
export function rawView(text: string): View {
  return { text, written: text, original: (span) => span };
}

/** A piece of a view. */
export function sliceOf(view: View, start: number, end: number): View {
  if (start === 0 && end === view.text.length) return view;
  const text = view.text.slice(start, end);
  return {
    text,
    written: text,
    original: (span) => view.original({ start: start + span.start, end: start + span.end, text: span.text }),
  };
}

const coloursAndNulls = new RegExp(`${writtenAnsi.source}|\u0000`, 'g');

/** UTF-16 that was read byte by byte. A lone NUL separates things, such as the variables of an environment. */
const utf16 = /(?:[^\u0000]\u0000){8}|(?:\u0000[^\u0000]){8}/;

/** The view without colours and without the NULs of UTF-16; `undefined` if it has none. */
export function withoutColours(view: View): View | undefined {
  const { text } = view;
  return decoded(view, text.includes('\0') && utf16.test(text) ? coloursAndNulls : writtenAnsi, () => '');
}

/** The escapes of JSON, C, Python, URLs and HTML. Each stands for one character. */
const escapes =
  /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|033|["'`\\/bfnrt])|%[2-7][0-9a-fA-F]|%0[aAdD]|&(?:quot|apos|amp|lt|gt|#[0-9]{2,3}|#x[0-9a-fA-F]{2});/g;

/** The view with one level of escapes decoded; `undefined` if it has none. */
export function unescaped(view: View): View | undefined {
  return decoded(view, escapes, characterOf);
}

/** The content of a JSON string that is at this place of a view. */
export function jsonString(view: View, start: number, end: number): View {
  const content = sliceOf(view, start, end);
  return content.text.includes('\\') ? new EscapedString(content) : content;
}

/** Decodes when its text is asked for: most strings show undecoded that there is no secret in them. */
class EscapedString implements View {
  readonly #content: View;
  #decoded: View | undefined;

  constructor(content: View) {
    this.#content = content;
  }

  get written(): string {
    return this.#content.text;
  }

  get text(): string {
    return this.#view.text;
  }

  original(span: Span): Span {
    return this.#view.original(span);
  }

  get #view(): View {
    return (this.#decoded ??= decoded(this.#content, jsonEscapes, characterOf) ?? this.#content);
  }
}

const jsonEscapes = /\\(?:u[0-9a-fA-F]{4}|.)/gs;

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

function characterOf(escape: string): string {
  const kind = escape.charAt(1);
  if (escape.startsWith('%')) return fromCode(escape.slice(1), 16);
  if (escape.startsWith('&')) {
    if (kind !== '#') return entities[escape.slice(1, -1)] ?? escape;
    return escape.charAt(2) === 'x' ? fromCode(escape.slice(3, -1), 16) : fromCode(escape.slice(2, -1), 10);
  }
  if (kind === 'u' || kind === 'x') return fromCode(escape.slice(2), 16);
  return kind === '0' ? '\u001b' : (letters[kind] ?? kind);
}

function fromCode(digits: string, radix: number): string {
  return String.fromCharCode(Number.parseInt(digits, radix));
}

/** The view with each match of an expression decoded into one character or none. */
function decoded(view: View, expression: RegExp, decode: (match: string) => string): View | undefined {
  const text = view.text.replace(expression, (match) => decode(match));
  if (text === view.text) return undefined;
  let pieces: Pieces | undefined;
  return {
    text,
    written: view.text,
    original: ({ start, end, text: replacement }) => {
      // Most texts have no secret to be found again.
      pieces ??= piecesOf(view.text, expression, decode);
      return view.original({ start: pieces.startOf(start), end: pieces.endOf(end), text: replacement });
    },
  };
}

/** The view with spans replaced. What is found over a replacement is found over what it replaces. */
export function replacedView(view: View, spans: readonly Span[]): View {
  if (spans.length === 0) return view;
  const pieces = new Pieces();
  let at = 0;
  let from = 0;
  for (const { start, end, text } of spans) {
    at += start - from;
    pieces.add(at, start);
    at += text.length;
    pieces.add(at, end);
    from = end;
  }
  return {
    text: replaceSpans(view.text, spans),
    written: view.text,
    original: ({ start, end, text }) => view.original({ start: pieces.startOf(start), end: pieces.endOf(end), text }),
  };
}

function piecesOf(text: string, expression: RegExp, decode: (match: string) => string): Pieces {
  const pieces = new Pieces();
  let at = 0;
  let from = 0;
  for (const { 0: match, index } of text.matchAll(expression)) {
    at += index - from;
    pieces.add(at, index);
    at += decode(match).length;
    from = index + match.length;
    pieces.add(at, from);
  }
  return pieces;
}

/** Where the pieces of a decoded text are in the text that it was decoded from. Every second piece is an escape. */
class Pieces {
  /** Where they begin in the decoded text, ascending. */
  private readonly starts = [0];
  private readonly origins = [0];

  add(start: number, origin: number): void {
    this.starts.push(start);
    this.origins.push(origin);
  }

  startOf(at: number): number {
    return this.originOf(at, this.pieceAt(at));
  }

  /** The end of the last character before this place: an escape is taken whole. */
  endOf(at: number): number {
    const piece = this.pieceAt(at - 1);
    const isEscape = piece % 2 === 1;
    return isEscape ? (this.origins[piece + 1] ?? 0) : this.originOf(at, piece);
  }

  private originOf(at: number, piece: number): number {
    return (this.origins[piece] ?? 0) + at - (this.starts[piece] ?? 0);
  }

  /** The last piece that begins at or before this place. */
  private pieceAt(at: number): number {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low;
  }
}
