import { isCode, isOrdinarySetting, isPlaceholder } from '../values';
import { marker } from '../span';

/** Known forms of long tokens that aren't secrets. `id`: of a session, message or call. `data`: base64 of an image, a file or a signature. */
export type HarmlessShape = 'uuid' | 'hash' | 'id' | 'data';

/** A token that may be a secret, and its place in a text. */
export interface Suspect {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export interface LongTokens {
  readonly suspects: readonly Suspect[];
  readonly harmless: Readonly<Record<HarmlessShape, number>>;
}

/** Shorter tokens are often words, names and versions. */
const minLength = 20;
/** Keys and tokens are shorter: what is longer is a file, a picture or a signature. */
const maxLength = 800;
const token = /[\w+/=.~%-]{20,}/g;

const uuid = /(?<![A-Za-z0-9])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![A-Za-z0-9])/gi;
/** A commit, a digest, a trace. */
const hash =
  /(?<![A-Za-z0-9])(?:[0-9a-f]{7,64}|[0-9a-f]{96}|[0-9a-f]{128}|sha(?:1|256|384|512)-[A-Za-z0-9+/]{27,88}={0,2}|h1:[A-Za-z0-9+/]{43}=)(?![A-Za-z0-9])/gi;
/** Ids of APIs and agents: `toolu_01…`, `call_…`, `ses_…`, and ULIDs. */
const id =
  /(?<![A-Za-z0-9])(?:(?:srv)?toolu|tool|call|fc|ctc|msg|message|req|request|resp|response|rs|ws|ig|chatcmpl|cmpl|gen|run|thread|step|task|event|evt|item|prt|part|ses|session|sess|usr|user|org|proj|project|acct|file|cus|batch|trace|span|vrtx|bdrk|conv|turn|agent|asst|chunk|node|snap|perm|per|question|que|pty|wrk)(?:_(?:vrtx|bdrk))?[_-][A-Za-z0-9]{8,64}(?![A-Za-z0-9])|(?<![A-Za-z0-9])0[0-7][0-9A-HJKMNP-TV-Z]{24}(?![A-Za-z0-9])/g;
const shapes = [
  ['uuid', uuid],
  ['id', id],
  ['hash', hash],
] as const;

/** Fields whose values are random but open nothing. */
const harmlessFields: readonly (readonly [HarmlessShape, RegExp])[] = [
  ['id', /(?:^|[a-z_-])(?:id|ids|uuid|cursor|etag|nonce|fingerprint|traceparent|tracestate|parent)$|(?:Id|Ids|Uuid)$/],
  ['hash', /(?:hash|sha\d*|digest|checksum|integrity|commit|revision)$/i],
  ['data', /^(?:signature|thoughtSignature|thought_signature|encrypted_content|encryptedContent|blob|data)$/],
];

const dataUrl = /base64,$/;
const hasDigit = /\d/;
const wholeUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Finds long tokens that look random and were not cut: what may be a secret without a name or a known prefix. The time it takes grows with
 * the length of the text and no faster.
 * @param name of the text's field, if it has one
 */
export function longTokensIn(text: string, name = ''): LongTokens {
  const harmless = { uuid: 0, hash: 0, id: 0, data: 0 };
  const suspects: Suspect[] = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found.length > maxLength || dataUrl.test(text.slice(Math.max(0, index - 7), index))) {
      harmless.data++;
      continue;
    }
    // Most are paths and names.
    if (!hasDigit.test(found)) continue;
    for (const one of withoutHarmless(found, harmless)) {
      if (!isRandom(one.value)) continue;
      if (isEncodedText(one.value)) {
        harmless.data++;
        continue;
      }
      const isWhole = one.value.length > text.length - 4;
      const shape = isWhole ? harmlessFields.find(([, field]) => field.test(name))?.[0] : undefined;
      if (shape) {
        harmless[shape]++;
        continue;
      }
      const start = index + one.start;
      if (text.startsWith(marker, start + one.value.length)) continue;
      suspects.push({ start, end: start + one.value.length, value: one.value });
    }
  }
  return { suspects, harmless };
}

interface Piece {
  readonly start: number;
  readonly value: string;
}

/** What is left of a token without its harmless pieces, which are counted. */
function withoutHarmless(text: string, counts: Record<HarmlessShape, number>): readonly Piece[] {
  if (text.length === 36 && wholeUuid.test(text)) {
    counts.uuid++;
    return [];
  }
  let blank = text;
  for (const [shape, expression] of shapes) {
    blank = blank.replace(expression, (all) => {
      // A word of hexadecimal letters, or a number.
      if (shape === 'hash' && all.length < 32 && !/(?:\d[a-f]|[a-f]\d)/i.test(all)) return all;
      counts[shape]++;
      return ' '.repeat(all.length);
    });
  }
  return [...blank.matchAll(/[^ ]{20,}/g)].flatMap(({ 0: value, index }) => piecesOf(value, index));
}

/** A path, an address or a member is judged part by part; so is what dots and percent signs separate. Base64 has slashes, too. */
function piecesOf(text: string, start: number): readonly Piece[] {
  const parts = [...text.matchAll(/[^.~%]+/g)].map(({ 0: value, index }) => ({ value, start: start + index }));
  return parts.flatMap((part) => {
    if (!part.value.includes('/')) return [part];
    const between = [...part.value.matchAll(/[^/]+/g)].map(({ 0: value, index }) => ({
      value,
      start: part.start + index,
    }));
    // A slash every few characters, and no word in between: a path has words.
    return between.some(({ value }) => isWordy(value)) ? between : [part];
  });
}

/** Words, numbers and versions, as in the names of files, folders and identifiers. */
function isWordy(value: string): boolean {
  const pieces = value.split(/[-_+=]+/).filter((one) => one !== '');
  return pieces.every(
    (one) => changesOf(one) <= Math.max(1, one.length * 0.2) || /^[a-z]{1,3}\d{1,4}[a-z]?$/i.test(one),
  );
}

/** How often letters change to digits or back, and small letters to capitals that begin no word. */
function changesOf(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at++) {
    const [before, here] = [classAt(text, at - 1), classAt(text, at)];
    if (before === here) continue;
    // A capital and the small letters after it are one word.
    if (before === 'capital' && here === 'small') continue;
    changes++;
  }
  return changes;
}

function classAt(text: string, at: number): 'capital' | 'digit' | 'small' {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return 'small';
  return code >= 65 && code <= 90 ? 'capital' : 'digit';
}

/** Letters and digits in an order that nobody chose. */
function isRandom(value: string): boolean {
  const letters = value.replace(/[-_+/=]/g, '');
  if (letters.length < minLength || !/\d/.test(letters) || !/[A-Za-z]/.test(letters)) return false;
  if (isOrdinarySetting(value) || isPlaceholder(value) || isCode(value)) return false;
  if (value.split(/[-_+/=]+/).every((piece) => piece === '' || isWordy(piece))) return false;
  const isMixed = /[a-z]/.test(letters) && /[A-Z]/.test(letters);
  return changesOf(letters) >= letters.length * (isMixed ? 0.25 : 0.2) && entropyOf(letters) >= 3.2;
}

/** Base64 of text that can be read: a random token decodes to bytes. */
function isEncodedText(value: string): boolean {
  if (!/^[\w+/-]{20,}={0,2}$/.test(value)) return false;
  try {
    const text = atob(value.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
    return /^[\t\n\r -~]+$/.test(text) && longTokensIn(text).suspects.length === 0;
  } catch {
    return false;
  }
}

/** Bits per character (Shannon). */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
