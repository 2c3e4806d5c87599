/** How far a value without quotes goes: in text, in the query of a URL, in a connection string, to the end of its word or to a quote. */
export type Extent = '"' | "'" | 'parameter' | 'parameter part' | 'query' | 'text' | 'word';

/** An escape that is a part of a value. One that stands for white space, a quote or an unknown character ends the value. */
const escape = /\\+(?:\/|[^nrtbfux"'`\\/\s])/y;

const endsList = /[,;](?=\s|$|["'\\]|[\w.-]{0,64}[=:])/y;

const tag = /<\/|<!--|<[a-zA-Z][\w-]{0,20}(?:\s[^<>]{0,80})?\/?>|>(?=[\s<]|$)|^</y;

const maxNames = 100;

/** Where a value ends, and where the search for that came to its end. */
interface Found {
  readonly at: number;
  readonly end: number;
}

/**
 * Finds where the values of a text end. Where no quote, comma or blank ends it, a value goes on over other names with theirs. A search
 * that begins inside a part that an earlier search has passed ends where that one did: each part of the text is passed once, not once per name.
 */
export class ValueEnds {
  /** The latest search of each kind, and where it began. */
  private readonly found = new Map<string, Found & { readonly from: number }>();

  private crowd = { end: -1, count: 0 };

  /** The end of the last table whose rows were looked at. */
  tableEnd = 0;

  /** The end of what was looked at for the data of a Kubernetes Secret. */
  manifestEnd = 0;

  constructor(readonly text: string) {}

  /** Whether a place is in a value with too many names in it to look at them all. */
  isCrowded(at: number): boolean {
    return at < this.crowd.end && this.crowd.count > maxNames;
  }

  private counted(end: number): number {
    this.crowd = { end, count: end === this.crowd.end ? this.crowd.count + 1 : 1 };
    return end;
  }

  bare(from: number, extent: Extent): number {
    return this.counted(
      this.find(extent, from, () => {
        if (extent === 'word') return this.word(from);
        if (extent === '"' || extent === "'" || extent.startsWith('parameter')) return whole(this.until(extent, from));
        return this.bareEnd(from, extent);
      }),
    );
  }

  /** The closing quote of a text that begins at this place, the end of its line, or that of the text, which may have been cut. */
  quoted(quote: string, from: number): number {
    return this.find(quote, from, () => whole(closing(this.text, quote, from)));
  }

  /** The end of a text that a quote opens, or of a bare value if none does. */
  opened(quote: string | undefined, from: number, extent: Extent): number {
    return quote ? this.quoted(quote, from) : this.bare(from, extent);
  }

  /** The end of a header's value: a quote, a line break or an escape. */
  header(from: number): number {
    return this.first('header', /["'`\\\r\n]|$/g, from);
  }

  /** The end of a list in brackets, without quotes. */
  list(from: number): number {
    return this.first('list', /[\]"'`\\\r\n]|$/g, from);
  }

  /** The end of the characters that credentials are made of. */
  credential(from: number): number {
    return this.first('credential', /[^\w.~+/=-]|$/g, from);
  }

  line(from: number): number {
    return this.first('line', /[\r\n]|$/g, from);
  }

  /** The next opening bracket of an element. */
  element(from: number): number {
    return this.first('element', /[<\r\n]|$/g, from);
  }

  hasWhite(from: number, end: number): boolean {
    return this.white(from) < end;
  }

  private white(from: number): number {
    return this.first('white', /[\s\u0000-\u001f\u2e80-\ud7ff\uff00-\uffff]|$/g, from);
  }

  private until(extent: Extent, from: number): number {
    if (extent === 'parameter part') return this.first('part end', /[\u0000-\u001f;"'`]|$/g, from);
    if (extent === 'parameter') return this.first('parameter end', /[\s\u0000-\u001f;"'`]|$/g, from);
    return this.first(`${extent} end`, extent === '"' ? /[\s"]|$/g : /[\s']|$/g, from);
  }

  private word(from: number): Found {
    const at = this.white(from);
    let end = at;
    while (end > from && `"'\`,;`.includes(this.text.charAt(end - 1))) end--;
    return { at, end };
  }

  private bareEnd(from: number, extent: Extent): Found {
    const { text } = this;
    let i = from;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code <= 32 || code === 34 || code === 39 || code === 96 || isEastern(code)) break;
      if ((code === 60 || code === 62) && this.isTag(i, extent)) break;
      if (extent === 'query' && (code === 38 || code === 35)) break;
      if (code === 44 || code === 59) {
        endsList.lastIndex = i;
        if (endsList.test(text)) break;
      }
      if (code !== 92) continue;
      escape.lastIndex = i;
      if (!escape.test(text)) break;
      i = escape.lastIndex - 1;
    }
    let end = i;
    while (end > from && '.,:)]}|'.includes(text.charAt(end - 1))) end--;
    return { at: i, end };
  }

  /** Whether an angle bracket is that of an element rather than a part of a value. */
  private isTag(at: number, extent: Extent): boolean {
    tag.lastIndex = at;
    return extent === 'query' || tag.test(this.text);
  }

  private first(kind: string, expression: RegExp, from: number): number {
    return this.find(kind, from, () => {
      expression.lastIndex = from;
      return whole(expression.exec(this.text)?.index ?? this.text.length);
    });
  }

  private find(kind: string, from: number, search: () => Found): number {
    const known = this.found.get(kind);
    if (known && known.from <= from && from <= known.at) return Math.max(from, known.end);
    const found = { from, ...search() };
    this.found.set(kind, found);
    return found.end;
  }
}

/** Chinese, Japanese and Korean characters and their punctuation. Passwords are typed without. */
function isEastern(code: number): boolean {
  return code >= 0x2e80 && (code < 0xd800 || code >= 0xff00);
}

function whole(end: number): Found {
  return { at: end, end };
}

function closing(text: string, quote: string, from: number): number {
  const isLine = quote === '"' || quote === "'";
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === '\n' && isLine) return i;
    else if (char === quote.charAt(0) && text.startsWith(quote, i)) return i;
  }
  return text.length;
}
