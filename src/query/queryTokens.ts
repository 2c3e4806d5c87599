/** A range in the text of a query, in UTF-16 units. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** One term of a query's text, before its key and values are interpreted. */
export interface QueryToken {
  readonly range: SourceRange;
  readonly negated: boolean;
  readonly body: TokenBody;
}

export type TokenBody =
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'quoted'; readonly text: string }
  | { readonly type: 'regex'; readonly source: string; readonly ignoresCase: boolean }
  /** `source` is the original text of the token. */
  | { readonly type: 'keyed'; readonly key: string; readonly values: readonly string[]; readonly source: string };

/** A minus before a digit, another minus or `>` is text, as in `-32601`, `--verbose` and `->`. */
const negation = /-(?![\d\->\s]|$)|!(?![=!\s]|$)/y;
const loneSign = /[-!](?=\s|$)/y;
const quoted = /"((?:[^"\\]|\\[^]|\\$)*)(?:"|$)/y;
const regex = /\/((?:[^/\\[]|\\[^]|\[(?:[^\]\\]|\\[^])*\])+)\/(i?)(?=\s|$)/y;
const key = /([A-Za-z][\w.]*):/y;
const word = /\S+/y;
const bareValue = /[^\s,]*/y;
const space = /\s*/y;

/** Splits the text of a query into its terms. */
export function queryTokens(text: string): readonly QueryToken[] {
  const reader = new Reader(text);
  const tokens: QueryToken[] = [];
  reader.take(space);
  while (!reader.isAtEnd) {
    const start = reader.at;
    if (!reader.take(loneSign)) {
      const negated = reader.take(negation) !== undefined;
      const body = readBody(reader);
      tokens.push({ range: { start, end: reader.at }, negated, body });
    }
    reader.take(space);
  }
  return tokens;
}

function readBody(reader: Reader): TokenBody {
  const quote = reader.take(quoted);
  if (quote) return { type: 'quoted', text: unescaped(quote[1] ?? '') };
  const expression = reader.take(regex);
  if (expression) return { type: 'regex', source: expression[1] ?? '', ignoresCase: expression[2] === 'i' };
  const start = reader.at;
  const name = reader.take(key)?.[1];
  if (name === undefined) return { type: 'word', text: reader.take(word)?.[0] ?? '' };
  const values = readValues(reader);
  return { type: 'keyed', key: name, values, source: reader.since(start) };
}

/** Values between commas, quoted or not; empty ones are left out. */
function readValues(reader: Reader): readonly string[] {
  const values: string[] = [];
  do {
    const quote = reader.take(quoted);
    const rest = reader.take(bareValue)?.[0] ?? '';
    const value = quote ? unescaped(quote[1] ?? '') + rest : rest;
    if (value !== '') values.push(value);
  } while (reader.take(/,/y));
  return values;
}

/** A backslash escapes only quotes and backslashes, so that Windows paths can be pasted. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

/** Reads a text from left to right with sticky expressions. */
class Reader {
  at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.text);
    if (!match) return undefined;
    this.at += match[0].length;
    return match;
  }

  since(start: number): string {
    return this.text.slice(start, this.at);
  }
}
