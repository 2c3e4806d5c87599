import { isSpace } from '../text/jsonText';
import type { ValueEnds } from './ends';
import { shapeAt } from './shapes/shapes';
import type { Span } from './span';
import { marker, maskedEnd, maskedRest } from './span';
import { isBrokenToken, isMixed, isNumber, isOpaque, isPlaceholder, isProse, isScrambled, isToken } from './values';

const scheme = /([A-Za-z][\w-]{0,31}) +(?=[^\s=])/y;

/** The schemes of IANA's registry, those of clouds, and some that APIs have made up. Others are recognised by their credentials. */
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
  const end =
    quotedTo ?? (withParameters.test(name ?? '') ? parametersEnd(ends, from, start) : ends.bare(start, 'text'));
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
  if (isProse(whole) || (quotedTo === undefined && !isOpaque(whole) && !isScrambled(whole))) return undefined;
  return { start: from, end, text: shapeAt(text, from)?.text ?? marker };
}

/** Parameters have their own quotes: they end at the quote that the header is in, or at the end of the line. */
function parametersEnd(ends: ValueEnds, from: number, start: number): number {
  const { text } = ends;
  const before = text.slice(Math.max(0, from - 64), from);
  const quote = /["'`](?=[\w-]*authorization["']?\s*[:=]\s*$)/i.exec(before)?.[0];
  return quote === undefined ? ends.line(start) : ends.quoted(quote, start);
}

/** The value of a Cookie or Set-Cookie header in text: all of it, if it has the form of one. */
export function cookies(ends: ValueEnds, from: number): Span | undefined {
  const end = ends.header(from);
  const head = ends.text.slice(from, Math.min(end, from + maxCookieName));
  // In a header a semicolon comes before a blank: "name=value pairs" is a sentence.
  return /^[^\s=;]+=(?![a-z]{1,24} [a-z])/.test(head) ? { start: from, end, text: marker } : undefined;
}

function isLikely(value: string): boolean {
  return isOpaque(value) || isBrokenToken(value) || isMixed(value) || isScrambled(value);
}

const maxCookieName = 256;
const minCredential = 8;

/** The credentials after `Bearer` or `Basic` anywhere in a text; `at` is where the word begins. */
export function bearer(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  if (at > 0 && /[\w-]/.test(text.charAt(at - 1))) return undefined;
  const isBasic = /^basic/i.test(text.slice(at, at + 5));
  const word = /[ \t]{1,8}/y;
  word.lastIndex = at + (isBasic ? 5 : 6);
  if (!word.test(text)) return undefined;
  const start = word.lastIndex;
  const end = ends.credential(start);
  if (end - start < minCredential) return undefined;
  const value = text.slice(start, end);
  const isSecret = isBasic ? isUserAndPassword(value) : isOpaque(value) || isBrokenToken(value);
  return isSecret ? { start, end, text: maskedRest } : undefined;
}

/** RFC 7617: base64 of a name, a colon and a password. */
export function isUserAndPassword(base64: string): boolean {
  if (base64.length < 8 || base64.length > 4096 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  try {
    return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(atob(base64));
  } catch {
    return false;
  }
}

const maxLength = 512;

/** The passwords of all URLs. */
export function urlPasswords(text: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const span = urlPassword(text, at);
    if (span !== undefined) found.push(span);
  }
  return found;
}

/**
 * The password in `scheme://user:password@host`, or the token that stands for a user; `at` is where the `@` is. A slash can only be part
 * of a password: what comes between a host's colon and its path is a number.
 */
function urlPassword(text: string, at: number): Span | undefined {
  let from = at;
  let hasSlash = false;
  for (; from > 0 && at - from < maxLength; from--) {
    const code = text.charCodeAt(from - 1);
    // A quote, an angle bracket, an `@` or white space.
    if (code === 34 || code === 39 || code === 60 || code === 62 || code === 64 || code === 96 || isWhite(code)) break;
    hasSlash ||= code === 47;
  }
  if (text.startsWith('tcp(', at + 1)) return userPassword(text, from, at, ':');
  if (!hasSlash) return undefined;
  const url = /[a-z][a-z0-9+.-]{0,24}:\\{0,8}\/\\{0,8}\/([^/?#:]*)(:?)/i.exec(text.slice(from, at));
  if (url === null) {
    const isOracles = isOracle.test(text.slice(Math.max(0, from - 32), from)) || text.startsWith('jdbc:oracle', from);
    return isOracles ? userPassword(text, from, at, '/') : undefined;
  }
  const [scheme, user = '', colon] = url;
  const start = from + url.index + scheme.length - (colon === '' ? user.length : 0);
  const end = lastAt(text, at);
  const secret = text.slice(start, end);
  const isPort = colon !== '' && /^\d*[/?#]/.test(secret);
  if (isPort || isPlaceholder(secret) || isExample(user, secret) || maskedEnd(text, start) > 0) return undefined;
  // Without a password the user's name is one only if it looks like that: git@host and a name do not.
  if (colon === '' && (/[/?#]/.test(secret) || !isOpaque(secret) || secret.length < 20)) return undefined;
  return { start, end, text: shapeAt(text, start)?.text ?? marker };
}

const isOracle = /\b(?:sqlplus|expdp|impdp|rman target)(?: -\w{1,8}){0,3} $/;

/** The password in `scott/tiger@db`, as Oracle has it, and in `user:password@tcp(host)`, as Go has it. */
function userPassword(text: string, from: number, at: number, separator: string): Span | undefined {
  const start = text.indexOf(separator, from) + 1;
  const value = text.slice(start, at);
  const isNone = start === 0 || start >= at || isPlaceholder(value) || /^(?:pass(?:word|wd)?|pwd)$/i.test(value);
  return isNone || maskedEnd(text, start) > 0 ? undefined : { start, end: at, text: marker };
}

/** `username:password`, as documentation has it. */
function isExample(user: string, secret: string): boolean {
  return (
    /^(?:my)?(?:user(?:name)?|login|name)$/i.test(user) && /^(?:my)?(?:pass(?:word|wd)?|pwd|secret)$/i.test(secret)
  );
}

function isWhite(code: number): boolean {
  return isSpace(code) || (code > 127 && /\s/.test(String.fromCharCode(code)));
}

/** A password may have an `@` in it: the host begins after the last one. */
function lastAt(text: string, at: number): number {
  let last = at;
  for (let i = at + 1; i - at < maxLength && i < text.length && !/[\s"'<>`\\/?#,]/.test(text.charAt(i)); i++) {
    if (text.charAt(i) === '@') last = i;
  }
  return last;
}

/** URLs that grant access: the part before the secret, and the secret. */
const urls = [
  /((?:^|[?&;,\s"'])(?:X-(?:Amz|Goog)-)?sig(?:nature)?=)([\w%+/=~-]{16,2048})/gi,
  /(\b(?:mcp|actions)\.zapier\.com\/(?:api\/mcp\/(?:[as]\/)?|mcp\/))([\w+=-]{16,1024})/g,
  /(\bmcp\.zapier\.com\/api\/v1\/connect\?token=)([\w%+=-]{16,1024})/g,
  /(\bhooks\.zapier\.com\/hooks\/catch\/)(\d{4,12}\/\w{4,16})/g,
  /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)([\w+-]{4,}(?:\/[\w+-]+)+)/g,
  /(\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)(\d{8,24}\/[\w-]{32,})/g,
  /(\bwebhook\.office\.com\/webhookb2\/)([\w@-]{8,}(?:\/[\w-]+)+)/g,
];

/** The signatures and secret paths of URLs. */
export function urlSecrets(text: string): readonly Span[] {
  return urls.flatMap((expression) =>
    Array.from(text.matchAll(expression), ({ 0: all, 1: known = '', index }) => ({
      start: index + known.length,
      end: index + all.length,
      text: known.includes('=') ? marker : maskedRest,
    })),
  );
}

/** The password in quotes that a word of SQL or a command comes before: `IDENTIFIED BY '…'`, `ConvertTo-SecureString "…"`. */
export function quotedPassword(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  const end = ends.quoted(text.charAt(at), at + 1);
  const value = text.slice(at + 1, end);
  return isPlaceholder(value) || maskedEnd(text, at + 1) > 0 ? undefined : { start: at + 1, end, text: marker };
}

const logins = [
  /["']type["']\s?:\s?["']api(?:[_-]?key)?["'],\s{0,40}["']key["']\s?:\s?(["'])(?<secret>[^\s"']{16,4096})\1/dg,
  /["']key["']\s?:\s?(["'])(?<secret>[^\s"']{16,4096})\1,\s{0,40}["']type["']\s?:\s?["']api(?:[_-]?key)?["']/dg,
  /["'](?:refresh|access)["']\s?:\s?(["'])(?<secret>[^\s"']{16,4096})\1/dg,
  // YAML
  /^[ \t-]{0,40}(?:refresh|access):[ \t]{1,4}(["']?)(?<secret>[^\s"']{16,4096})\1[ \t\r]*$/dgm,
];

/** Whether a place is where the search finds a login's type: `"type":"oauth"`, `"type":"api_key"`, `type: oauth`. */
export function isLogin(text: string, at: number): boolean {
  return (
    'hk'.includes(text.charAt(at)) &&
    /(?:["']type\\{0,8}["']\s?:\s?\\{0,8}["']|\btype: {1,4}["']?)(?:oauth|api[_-]?k)$/.test(
      text.slice(Math.max(0, at - 36), at + 1),
    )
  );
}

/** The secrets in an agent's own file that is part of a text: `{"type":"api","key":"…"}`, `{"type":"oauth","refresh":"…","access":"…"}`. */
export function loginSecrets(text: string): readonly Span[] {
  const found = logins.flatMap((login) =>
    Array.from(text.matchAll(login), ({ indices }) => indices?.groups?.['secret']),
  );
  return found.flatMap((place) => {
    if (place === undefined) return [];
    const [start, end] = place;
    return isToken(text.slice(start, end)) ? [{ start, end, text: shapeAt(text, start)?.text ?? marker }] : [];
  });
}

const userOption =
  /(?:(?:-u|--?(?:proxy-)?user)["']?(?:[ =]|,[ ]?)["']?([^\s"':$]{1,64}):|-p["']?(?:[ =]|,[ ]?)["']?)/y;

const users = /[\s"'[]-{1,2}(?:u|(?:proxy-)?user)["',= ]/g;

/** The passwords of commands like curl's. */
export function userOptions(ends: ValueEnds): readonly Span[] {
  return Array.from(ends.text.matchAll(users)).flatMap(({ index }) => {
    const span = optionPassword(ends, index + 1);
    return span === undefined ? [] : [span];
  });
}

/** The password of `-u name:password`, as curl has it; `at` is where its dash is. Others have the ids of a user and a group there. */
export function optionPassword(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  let dash = at;
  while (dash > 0 && at - dash < 8 && /[\w-]/.test(text.charAt(dash - 1))) dash--;
  userOption.lastIndex = dash;
  if (!userOption.test(text)) return undefined;
  const start = userOption.lastIndex;
  const opening = text.slice(dash, start).match(/["']/g)?.at(-1);
  const end = ends.opened(opening, start, 'word');
  const value = text.slice(start, end);
  if (isPlaceholder(value) || maskedEnd(text, start) > 0) return undefined;
  if (text.startsWith('-p', dash)) return { start, end, text: marker };
  const isCurl = /\b(?:curl|http|https|wget|xh)\b/.test(text.slice(Math.max(0, dash - 512), dash));
  return isCurl || (!isNumber(value) && isLikely(value)) ? { start, end, text: marker } : undefined;
}
