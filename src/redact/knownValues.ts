import type { ByteChunk } from '../text/bytes/byteChunk';
import { ByteSearch } from '../text/bytes/byteSearch';
import { isJson } from '../text/jsonText';
import { secretKind } from './names';
import { isUserAndPassword } from './places';
import { shapeAt } from './shapes/shapes';
import type { Span } from './span';
import { marker, replaceSpans } from './span';
import { isMixed, isOrdinarySetting, isPlaceholder, isTooCommon } from './values';

interface Form {
  readonly text: string;
  /** Whether it fits in a JSON string: no bare quotes, control characters or half escapes. */
  readonly fitsJson: boolean;
}

interface Value {
  /** A piece of it that no encoding changes: a text without the piece doesn't have the value. */
  readonly anchor: string;
  /** The character of the anchor that is the rarest in logs: looking for one character is many times as fast as for several. */
  readonly rare: string;
  readonly rareAt: number;
  /** The value as written in text, in URLs and in up to four levels of JSON, longest first. */
  readonly forms: readonly Form[];
  readonly text: string;
}

/** Maximum number of values and parts of values. */
const maxValues = 512;

/** Finds values that are known to be secret, such as those of environment variables, and their secret parts: also escaped, or in a URL. */
export class KnownValues {
  readonly #values: readonly Value[];
  /** For a piece of each value, in bytes. */
  readonly #searches: readonly ByteSearch[];
  #chunk: ByteChunk | undefined;

  /**
   * @param values those that are short, or ordinary words, numbers, paths, versions and the like, are not used
   * @param secrets values that are known to be secret: only those that would be found in too many places are not used
   */
  constructor(values: readonly string[], secrets: readonly string[] = []) {
    const used = new Set([
      ...values.map((value) => value.trim()).filter((value) => !isOrdinarySetting(value)),
      ...secrets.map((value) => value.trim()).filter((value) => !isTooCommon(value)),
    ]);
    for (const value of [...values, ...secrets]) {
      for (const part of secretParts(value)) if (used.size < maxValues) used.add(part);
    }
    // A value may be a part of another one: the longer goes first.
    this.#values = [...used].sort((a, b) => b.length - a.length).map(prepared);
    const anchors = new Set(this.#values.map(({ anchor }) => anchor));
    this.#searches = Array.from(anchors, (anchor) => new ByteSearch(Buffer.from(anchor)));
  }

  /** Whether one of them may be in a line, in whatever form. Fast if the lines of a chunk come in order. */
  mayBeInLine(chunk: ByteChunk, start: number, end: number): boolean {
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      for (const search of this.#searches) search.begin(chunk.bytes);
    }
    for (const search of this.#searches) if (search.isIn(start, end)) return true;
    return false;
  }

  redact(line: string): string {
    let text = line;
    for (const value of this.#values) {
      if (hasAnchor(text, value)) text = replaceSpans(text, spansOf(text, value));
    }
    return text;
  }

  /** Whether one of them may be in a text, in whatever form. */
  mayBeIn(text: string): boolean {
    return this.#values.some((value) => hasAnchor(text, value));
  }

  /** Their places in a line. */
  spans(line: string): readonly Span[] {
    return this.#values.flatMap((value) => (hasAnchor(line, value) ? spansOf(line, value) : []));
  }
}

const header = /^(?:[A-Za-z][\w-]{1,31}) +(\S+)$/;
const credentialsInUrl = /:\/\/([^\s/?#:@]*):([^\s@]{1,512})@/g;
const namedInValue = /([\w.-]{1,64})["']?\s{0,8}[=:]\s{0,8}["']?([^\s"'&;,]{6,4096})/g;

/**
 * The secret parts of a value: the credentials of a header without their scheme, the password of a URL or of `Basic`, the values of names
 * in a connection string, a query or JSON, each line of several.
 */
function secretParts(value: string): readonly string[] {
  const parts = new Set<string>();
  const passwords = new Set<string>();
  const text = value.trim();
  const credentials = header.exec(text)?.[1];
  if (credentials !== undefined) passwords.add(credentials);
  for (const base64 of [credentials, text]) {
    if (base64 === undefined || !isUserAndPassword(base64)) continue;
    const decoded = atob(base64);
    passwords.add(decoded).add(decoded.slice(decoded.indexOf(':') + 1));
  }
  for (const { 2: password = '' } of text.matchAll(credentialsInUrl)) passwords.add(password).add(uriDecoded(password));
  for (const { 1: name = '', 2: part = '' } of text.matchAll(namedInValue)) {
    if (secretKind(name.split('.').at(-1) ?? '') !== undefined) passwords.add(part).add(uriDecoded(part));
  }
  for (const line of text.split(/\r?\n|\\n/)) if (!line.startsWith('-----')) parts.add(line.trim());
  return [
    ...[...parts].filter((part) => !isOrdinarySetting(part)),
    ...[...passwords].filter(
      (part) => part.length >= 6 && !isPlaceholder(part) && (isMixed(part) || !isOrdinarySetting(part)),
    ),
  ];
}

/** Characters by how rare they are in lines of JSON, with the rarest last; capitals of all kinds are rarer still. */
const byRarity = 'etasonirdlcm-pgu0f1h2b435678_9.yvwkxjqz';

function commonness(char: string): number {
  const at = byRarity.indexOf(char);
  return at < 0 ? 0 : byRarity.length - at;
}

function hasAnchor(text: string, { anchor, rare, rareAt }: Value): boolean {
  for (let at = text.indexOf(rare, rareAt); at >= 0; at = text.indexOf(rare, at + 1)) {
    if (text.startsWith(anchor, at - rareAt)) return true;
  }
  return false;
}

function prepared(value: string): Value {
  const forms = new Set([value, value.replaceAll('/', '\\/'), inAscii(value), ...uriEncoded(value)]);
  let escaped = value;
  for (let depth = 0; depth < 4; depth++) {
    escaped = JSON.stringify(escaped).slice(1, -1);
    forms.add(escaped);
  }
  const anchor = (value.match(/[A-Za-z0-9_.-]+/g) ?? ['']).reduce((a, b) => (b.length > a.length ? b : a));
  const rare = Array.from(anchor).reduce((a, b) => (commonness(b) < commonness(a) ? b : a), anchor.charAt(0));
  return {
    anchor,
    rare,
    rareAt: anchor.indexOf(rare),
    forms: [...forms].sort((a, b) => b.length - a.length).map((text) => ({ text, fitsJson: isJson(`"${text}"`) })),
    text: shapeAt(value, 0)?.text ?? marker,
  };
}

/** As encoders write it that leave nothing but ASCII. */
function inAscii(value: string): string {
  const json = JSON.stringify(value).slice(1, -1);
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function uriEncoded(value: string): readonly string[] {
  try {
    const encoded = encodeURIComponent(value);
    const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
    return [encoded, strict, strict.replaceAll('%20', '+'), strict.replace(/%../g, (code) => code.toLowerCase())];
  } catch {
    return []; // half of a surrogate pair
  }
}

function uriDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function spansOf(line: string, { forms, text }: Value): readonly Span[] {
  const json = /^[ \t\r\n]*[[{"]/.test(line);
  const spans: Span[] = [];
  for (const form of forms) {
    if (json && !form.fitsJson) continue;
    const { length } = form.text;
    for (let at = line.indexOf(form.text); at >= 0; at = line.indexOf(form.text, at + length)) {
      // The letter of an escape is no letter of a value.
      if (!json || !isInEscape(line, at)) spans.push({ start: at, end: at + length, text });
    }
  }
  return spans;
}

function isInEscape(text: string, at: number): boolean {
  const hex = /\\u[0-9a-fA-F]{0,3}$/.exec(text.slice(Math.max(0, at - 5), at));
  let start = hex === null ? at : at - hex[0].length + 1;
  const end = start;
  while (start > 0 && text.charAt(start - 1) === '\\') start--;
  return (end - start) % 2 === 1;
}
