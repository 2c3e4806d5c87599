import { bareEnd } from './bareValue';
import type { Quote } from './rawText';
import { quotedEnd } from './rawText';

/** Where a header's value ends in text: at a quote, a line break or an escape. */
const headerEnd = /["'`\\\r\n]|$/g;

/** Where a list ends that has no quotes. */
const listEnd = /[\]"'`\\\r\n]|$/g;

const white = /\s|$/g;

const noCredential = /[^\w.~+/=-]|$/g;

/** Where a search came to its end, and where what it looked for ends: that may be before it. */
interface Found {
  readonly at: number;
  readonly end: number;
}

/**
 * Finds where the values of a line end. Where no quote, comma or blank ends it, a value goes on over other names with theirs. A search that
 * begins inside of what another one has passed ends where that did: so each part of the line is passed once, and not once for each name.
 */
export class ValueEnds {
  /** Of each kind of search the latest, and where it began. */
  private readonly found = new Map<string, Found & { readonly from: number }>();

  constructor(
    readonly text: string,
    private readonly json: boolean,
  ) {}

  /** @param query whether it is a part of a URL */
  bare(from: number, query: boolean): number {
    return this.find(query ? 'query' : 'bare', from, () => bareEnd(this.text, from, query));
  }

  quoted(quote: Quote): number {
    return this.find(`${quote.char}${quote.depth}`, quote.end, () => whole(quotedEnd(this.text, quote, this.json)));
  }

  header(from: number): number {
    return this.find('header', from, () => whole(this.first(headerEnd, from)));
  }

  /** Of a list in brackets, without quotes. */
  list(from: number): number {
    return this.find('list', from, () => whole(this.first(listEnd, from)));
  }

  /** Of the characters that credentials are made of. */
  credential(from: number): number {
    return this.find('credential', from, () => whole(this.first(noCredential, from)));
  }

  hasWhite(from: number, end: number): boolean {
    return this.find('white', from, () => whole(this.first(white, from))) < end;
  }

  private first(expression: RegExp, from: number): number {
    expression.lastIndex = from;
    return expression.exec(this.text)?.index ?? this.text.length;
  }

  private find(kind: string, from: number, search: () => Found): number {
    const known = this.found.get(kind);
    if (known && known.from <= from && from <= known.at) return Math.max(from, known.end);
    const found = { from, ...search() };
    this.found.set(kind, found);
    return found.end;
  }
}

function whole(end: number): Found {
  return { at: end, end };
}
