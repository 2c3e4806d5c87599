import { maskedRest } from './marker';
import type { Span } from './span';

const header = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE $/;
const rest = /KEY(?: BLOCK)?-----/y;
const begins = /(?:\s|\\+[nrt])*(?:[A-Za-z0-9+/=\\]{16}|Proc-Type|DEK-Info|Version|Comment)/y;
const body = /[A-Za-z0-9+/=\s:,]+|\\+(?:[nrt/]|u00[0-9a-fA-F]{2})|-(?!-)/y;

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
  let end = start;
  for (;;) {
    body.lastIndex = end;
    if (!body.test(text)) break;
    end = body.lastIndex;
  }
  return { start, end, text: maskedRest };
}

/** Whether a line begins a private key that goes on in the next ones. */
export function opensPrivateKey(text: string): boolean {
  return /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----\s*$/.test(text);
}

/** Whether a line can stand in a private key: base64, or one of the headers that some have. */
export function isPrivateKeyLine(text: string): boolean {
  return /^\s*(?:[A-Za-z0-9+/]{1,128}={0,2}|(?:Proc-Type|DEK-Info): .{1,100})?\s*$/.test(text);
}
