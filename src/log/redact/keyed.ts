import { valueAt } from './assignedValue';
import type { SecretKind } from './names';
import { isSecretHeader, secretKind } from './names';
import type { Named } from './namedValue';
import { quoted } from './namedValue';
import { isBrokenToken, isOpaque } from './ordinary';
import { pairedValues } from './pairs';
import type { Quote } from './rawText';
import { afterQuoted, isSameQuote, quoteAt, quoteBefore, runEnd, runStart, skipBlanks } from './rawText';
import type { Span } from './span';
import type { ValueEnds } from './valueEnds';

/** The secrets that the name gives away which a place is in: most often there is none, and that shows at the character after it. */
export function keyedSecrets(ends: ValueEnds, at: number): readonly Span[] {
  const { text } = ends;
  const end = runEnd(text, at);
  const quote = end < 0 ? undefined : quoteAt(text, end);
  const after = end < 0 ? end : skipBlanks(text, quote?.end ?? end);
  const code = text.charCodeAt(after);
  const assigns = code === 58 || code === 61;
  if (!assigns && quote === undefined && after <= end) return [];
  if (assigns && quote !== undefined && isNotText(text, after + 1)) return [];
  const start = runStart(text, at);
  const isFlag = quote === undefined && after > end && text.startsWith('--', start);
  if (start < 0 || (!assigns && !isFlag && quote === undefined)) return [];
  const name = text.slice(start, end);
  const kind = secretKind(name) ?? (assigns && quote === undefined ? kindOfTwoWords(text, start, name) : undefined);
  if (kind === undefined || (kind === 'plain token' && isProgress(text))) return [];
  const named: Named = { text, ends, name, start, kind, quote };
  if (assigns) {
    // `==`, `::` and `=~` compare or join; `=>` assigns.
    const width = text.charAt(after + 1) === '>' ? 2 : 1;
    if (width === 1 && /[:=~]/.test(text.charAt(after + 1))) return [];
    const from = skipBlanks(text, after + width);
    const bond = code === 61 && width === 1 && quote === undefined && after === end && from === after + 1;
    return valueAt(named, from, bond ? 'close' : 'loose');
  }
  if (isFlag) return valueAt(named, after, 'loose');
  if (quote === undefined || !isSameQuote(quoteBefore(text, start), quote)) return [];
  const paired = pairedValues(ends, start, quote);
  if (paired.length > 0) return paired.flatMap((value) => quoted(named, value.start, value.end));
  return code === 44 ? listed(named, quote, after + 1) : [];
}

/** A key in a sentence: `Using API key: …`. */
function kindOfTwoWords(text: string, start: number, name: string): SecretKind | undefined {
  if (name !== 'key' && name !== 'Key' && name !== 'KEY') return undefined;
  return /\b(?:api|access|secret|private|master|license) $/i.test(text.slice(Math.max(0, start - 9), start))
    ? 'perhaps key'
    : undefined;
}

/** In a language server's progress the token is what follows it, and no secret. */
function isProgress(text: string): boolean {
  // The method stands at the beginning; searching all of a long line for each of its tokens would take the square of its length.
  const head = text.slice(0, 500);
  return head.includes('$/progress') || head.includes('window/workDoneProgress/');
}

const pythonPrefix = /^[brfu]$/;

/** `"--token", "…"` in a list of arguments, `"authorization", "…"` in a list of headers: a text of its own each. */
function listed(named: Named, quote: Quote, at: number): readonly Span[] {
  const { text, name, ends } = named;
  if (!name.startsWith('-') && !isSecretHeader(name)) return [];
  const from = skipBlanks(text, at);
  const value = quoteAt(text, from + (pythonPrefix.test(text.charAt(from)) ? 1 : 0));
  if (value === undefined || !isSameQuote(value, quote)) return [];
  const end = ends.quoted(value);
  // What a colon follows is a name.
  const isName = text.charAt(skipBlanks(text, afterQuoted(text, end))) === ':';
  if (isName) return [];
  // What begins with a dash is the next argument, but for a token that happens to.
  const argument = text.slice(value.end, end);
  const isArgument = argument.startsWith('-') && !isOpaque(argument) && !isBrokenToken(argument);
  return isArgument ? [] : quoted(named, value.end, end);
}

const notText = /[ \t]*(?:[{\d]|-\d|(?:true|false|null)\b)/y;

/** Whether a value is one that is no string in JSON: a number, a literal, an object. Most names with a secret's word in it have those. */
function isNotText(text: string, at: number): boolean {
  notText.lastIndex = at;
  return notText.test(text);
}
