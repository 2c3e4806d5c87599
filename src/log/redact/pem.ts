import { maskedRest } from './marker';
import { plainLine } from './plainLine';
import type { Span } from './span';

const header = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE $/;
const rest = /KEY(?: BLOCK)?-----/y;
/** In HTML. */
const lineBreak = '<br ?/?>';
/** Between two lines of a key that stand in quotes of their own, as programs have them, and as Node prints them. */
const joint = String.raw`['\`](?:\s|\\+[nrt]){0,64}\+(?:\s|\\+[nrt]){0,64}['\`]`;
const begins = new RegExp(
  String.raw`(?:\s|\\+[nrt]|${lineBreak})*(?:${joint})?(?:[A-Za-z0-9+/=\\]{16}|Proc-Type|DEK-Info|Version|Comment)`,
  'y',
);
/** What OpenPGP has before the base64, which may be any text (RFC 9580). */
const headers = /(?:(?:\s|\\+[nrt])*(?:Version|Comment|Charset|Hash|MessageID): [^\r\n\\"'`]{0,200})*/y;
const body = new RegExp(
  String.raw`[A-Za-z0-9+/=\s:,]+|\\+(?:[nrt/]|u00[0-9a-fA-F]{2})|-(?!-)|${lineBreak}|${joint}`,
  'y',
);

/**
 * A private key between its BEGIN and END, as lines or with escaped line breaks; `at` is where the `KEY` of the first line is. One whose
 * end is missing goes as far as it looks like one. (gitleaks: private-key; secretlint: privatekey)
 */
export function privateKey(text: string, at: number): Span | undefined {
  if (!header.test(text.slice(Math.max(0, at - 48), at))) return undefined;
  rest.lastIndex = at;
  if (!rest.test(text)) return undefined;
  const start = rest.lastIndex;
  // What only speaks of such a line is left alone.
  begins.lastIndex = start;
  if (!begins.test(text)) return undefined;
  headers.lastIndex = start;
  headers.test(text);
  let end = headers.lastIndex;
  for (;;) {
    body.lastIndex = end;
    if (!body.test(text)) break;
    end = body.lastIndex;
  }
  return { start, end, text: maskedRest };
}

/** The first line of a private key, to its end; in quotes, its line break may be escaped. */
const opening = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\+[nr])*["'`]\s?[+,]?)?$/;
/** What of it may come after its dashes, in characters, with colours. */
const maxTail = 32;

/** Whether a line begins a private key that goes on in the next ones. */
export function opensPrivateKey(text: string): boolean {
  const line = text.trimEnd();
  return line.slice(-maxTail).includes('-----') && opening.test(plainLine(line)?.text ?? line);
}
