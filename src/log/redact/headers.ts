import { marker, masked, maskedEnd, maskedRest } from './marker';
import { isBrokenToken, isMixed, isNumber, isOpaque, isPlaceholder, isProse } from './ordinary';
import { isNameCode, skipBlanks } from './rawText';
import { shapeAt } from './shapes';
import type { Span } from './span';
import type { ValueEnds } from './valueEnds';

const scheme = /([A-Za-z][\w-]{0,31}) +(?=[^\s=])/y;

/** The schemes of IANA's registry, those of clouds and what APIs have made up. Others are known by what comes after them. */
const schemes =
  /^(?:bearer|basic|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|kerberos|oauth|privatetoken|scram-sha-(?:1|256)|vapid|concealed|aws4-[\w-]+|hawk|signature|hmac[\w-]*|token|bot|api-?key|key|jwt|sharedkey(?:lite)?|sharedaccesssignature|goog4-[\w-]+|algolia|splunk|sso-key|ssws)$/i;

/** Schemes whose credentials are parameters in a row, and go on to the end of the header. */
const withParameters = /^(?:aws4-hmac-sha256|digest|oauth|hawk|signature)$/i;

/** The credentials in the value of an Authorization header: all of a quoted value, or what follows in text. The scheme is kept. */
export function credentials(ends: ValueEnds, from: number, quotedTo?: number): Span | undefined {
  const { text } = ends;
  if (maskedEnd(text, from) > 0) return undefined;
  scheme.lastIndex = from;
  const name = scheme.exec(text)?.[1];
  const start = name === undefined ? from : scheme.lastIndex;
  const end = quotedTo ?? (withParameters.test(name ?? '') ? ends.header(start) : ends.bare(start, false));
  if (end <= start) return undefined;
  const value = text.slice(start, end);
  if (isPlaceholder(value) || isNumber(value)) return undefined;
  // In text it may be a sentence: "Authorization: failed for the user".
  const isScheme = name !== undefined && (quotedTo !== undefined || schemes.test(name) || isLikely(value));
  if (isScheme && (quotedTo === undefined || !isProse(text.slice(from, end)))) {
    return { start, end, text: maskedRest };
  }
  // Without a scheme a word alone is no credential: "Authorization: required".
  const whole = text.slice(from, end);
  if (isProse(whole) || (quotedTo === undefined && !isOpaque(whole))) return undefined;
  return { start: from, end, text: masked(shapeAt(text, from)?.prefix) };
}

/** The value of a Cookie or Set-Cookie header in text: all of it, if it has the form of one. */
export function cookies(ends: ValueEnds, from: number): Span | undefined {
  const end = ends.header(from);
  const head = ends.text.slice(from, Math.min(end, from + maxCookieName));
  // In a header a semicolon comes before a blank: "name=value pairs" is a sentence.
  return /^[^\s=;]+=(?![a-z]{1,24} [a-z])/.test(head) ? { start: from, end, text: marker } : undefined;
}

function isLikely(value: string): boolean {
  return isOpaque(value) || isBrokenToken(value) || isMixed(value);
}

const maxCookieName = 256;
const minCredential = 8;

/** The credentials after `Bearer` or `Basic` wherever they stand; `at` is where the word begins. (gitleaks: curl-auth-header) */
export function bearer(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  if (at > 0 && isNameCode(text.charCodeAt(at - 1)) && text.charAt(at - 2) !== '\\') return undefined;
  const basic = text.startsWith('Basic', at);
  const start = skipBlanks(text, at + (basic ? 5 : 6));
  const end = ends.credential(start);
  if (end - start < minCredential) return undefined;
  const value = text.slice(start, end);
  const secret = basic ? isUserAndPassword(value) : isOpaque(value);
  return secret ? { start, end, text: maskedRest } : undefined;
}

/** RFC 7617: base64 of a name, a colon and a password. */
function isUserAndPassword(base64: string): boolean {
  if (base64.length % 4 !== 0 || base64.length > 4096) return false;
  try {
    return atob(base64).includes(':');
  } catch {
    return false;
  }
}
