import { cookies, credentials } from './headers';
import type { Bond, Named } from './namedValue';
import { bare, isLikely, quoted } from './namedValue';
import { afterQuoted, opensValue, quoteAt, skipBlanks } from './rawText';
import type { Span } from './span';

/** The secrets in what is assigned to a name: a text, a list of them, or either in what a language prints around it. */
export function valueAt(named: Named, at: number, bond: Bond): readonly Span[] {
  const { text, ends, quote } = named;
  const wrapped = wrapperAt(text, at);
  const from = wrapped?.end ?? at;
  if (text.charAt(from) === '[') return elements(named, from + 1);
  if (wrapped?.isList === true) return elements(named, from);
  const value = quoteAt(text, from);
  if (value === undefined) return bare(named, from, bond);
  if (!opensValue(text, quote, value)) return [];
  const end = ends.quoted(value);
  return wrapped?.isOwn === true && !isLikely(named.kind, text.slice(value.end, end))
    ? []
    : quoted(named, value.end, end);
}

interface Wrapper {
  /** Where what it wraps begins. */
  readonly end: number;
  readonly isList: boolean;
  /** Whether it is a type of the program's own, which may be anything. */
  readonly isOwn: boolean;
}

/** How Rust prints a value that may be missing or is wrapped, also in one another: `Some(ApiKey("…"))`; Python's prefixes of strings; Go's lists. */
const wrapper = /(?:[A-Z]\w{0,40}\(){1,4}(?=\\*["'])|(?:Some|Secret\w{0,16})\(|[brfu](?=["'])|\[\]string\{/y;
const knownWrapper = /^(?:(?:(?:Some|Secret\w{0,16})\()+|[brfu]|\[\]string\{)$/;

function wrapperAt(text: string, at: number): Wrapper | undefined {
  wrapper.lastIndex = at;
  const found = wrapper.exec(text)?.[0];
  if (found === undefined) return undefined;
  return { end: wrapper.lastIndex, isList: found.endsWith('{'), isOwn: !knownWrapper.test(found) };
}

/** The texts of a list: an HTTP header has one of them for every time it was sent. */
function elements(named: Named, at: number): readonly Span[] {
  const { text, ends, quote } = named;
  const found: Span[] = [];
  let from = at;
  for (let n = 0; n < 64; n++) {
    const value = quoteAt(text, skipBlanks(text, from));
    if (n === 0 && value === undefined && quote === undefined) return bareElement(named, from);
    if (value === undefined || !opensValue(text, quote, value)) break;
    const end = ends.quoted(value);
    // A message about a password is a sentence; an element of this list which is a secret has no spaces, but cookies do.
    if (named.kind === 'cookie' || named.kind === 'authorization' || !ends.hasWhite(value.end, end)) {
      found.push(...quoted(named, value.end, end));
    }
    from = skipBlanks(text, afterQuoted(text, end));
    if (text.charAt(from) !== ',') break;
    from++;
  }
  return found;
}

/** The first element of a list without quotes, as Go prints the headers of HTTP: `X-Api-Key:[…]`. */
function bareElement(named: Named, from: number): readonly Span[] {
  const { text, ends, kind } = named;
  const end = ends.list(from);
  if (text.charAt(end) !== ']') return [];
  const span = kind === 'cookie' ? cookies(ends, from) : kind === 'authorization' ? credentials(ends, from) : undefined;
  if (span !== undefined) return [{ ...span, end: Math.min(span.end, end) }];
  return kind === 'cookie' || kind === 'authorization' ? [] : bare(named, from, 'loose');
}
