import type { Fragment, LineScanner, Prefix, Sought } from './fragment';
import { byteSets, contents, maxFragment } from './fragment';

const { token, word, sentence, valueNext, valueAfterBlank, separator, addressEnd } = byteSets;

const afterBlank = String.raw` {1,40}(?! )(?:[${valueAfterBlank}]|$|value|[\w.]{1,32}(?![\w.])[ \t]{0,4}(?![ \t])[:=&*<>[\]])`;
const told = String.raw`(?:|[sSeE]|[${word}]{1,6}[dtelsDTELS]) (?:[${sentence}]{127}|[${sentence}]{0,126}(?![${sentence}]))(?:(?<=-)(?:[\x00-\x1f]|$)|(?<=[ (])"|(?<=[\x00-\x20](?=[^\x00-\x20]{8})[^\x00-\x20]*)\d|[^\x00-\x1f"!?;\d])`;
const option = String.raw`(?<=_|auth|(?<![${word}])-[${word}]{0,63}|(?:NV|RG|et|tx|nv|rt|ne|gx|-x|login [^\x00-\x20]{1,64}) [${word}]{0,64})`;
const separators = String.raw`[${separator}]{1,24}(?:%3[dD][${separator}]{0,24})?|%3[dD][${separator}]{0,24}`;

/** Says in plain TypeScript what the kernel says, and serves where there is no WebAssembly. */
export class Reference implements LineScanner {
  /** What may be where a byte is. */
  readonly #sought = new Map<number, RegExp>();

  constructor({ fragments, prefixes }: Sought) {
    const sources = [...fragments.map(fragmentSource), ...prefixes.map(prefixSource), [String.raw`[\x00\x1b]`]];
    for (let byte = 0; byte < 256; byte++) {
      const own = sources.filter(([first = '']) => new RegExp(`^${first}$`).test(String.fromCharCode(byte)));
      if (own.length > 0) this.#sought.set(byte, new RegExp(own.map((parts) => parts[1] ?? parts[0]).join('|'), 'y'));
    }
  }

  lines(bytes: Uint8Array): Int32Array {
    const rows: number[] = [];
    for (let start = 0, feed = 0; feed >= 0; start = feed + 1) {
      feed = bytes.indexOf(10, start);
      const end = feed < 0 ? bytes.length : feed;
      const last = end > start && bytes[end - 1] === 13 ? end - 1 : end;
      rows.push(start, last, this.#contentsOf(bytes.subarray(start, last)));
    }
    return Int32Array.from(rows);
  }

  contents(bytes: Uint8Array): number {
    return this.#contentsOf(bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes);
  }

  #contentsOf(bytes: Uint8Array): number {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const line = buffer.toString('latin1');
    const isHigh = /[\x80-\xff]/.test(line);
    return (
      (isHigh ? contents.beyondAscii : 0) |
      (/[\x00-\x1f]/.test(line) ? contents.control : 0) |
      (line.includes('\\') ? contents.backslash : 0) |
      (this.#isCandidate(line) ? contents.candidate : 0) |
      (isHigh && !Buffer.from(buffer.toString()).equals(buffer) ? contents.invalid : 0)
    );
  }

  #isCandidate(line: string): boolean {
    for (let at = 0; at < line.length; at++) {
      const sought = this.#sought.get(line.charCodeAt(at));
      if (!sought) continue;
      sought.lastIndex = at;
      if (sought.test(line)) return true;
    }
    return false;
  }
}

/** Its first byte and all of it, as expressions for bytes as characters. */
function fragmentSource({ text, anyCase = false, unless, then }: Fragment): readonly string[] {
  const bytes = Array.from(Buffer.from(text).subarray(0, maxFragment), (byte) => byteSource(byte, anyCase));
  const all = bytes.join('') + (unless === undefined ? '' : unless === 'letter' ? '(?![A-Za-z])' : '(?![sS])');
  const [first = ''] = bytes;
  if (then === undefined) return [first, all];
  if (then === 'address') return [first, `${all}[^${addressEnd}@]{0,511}@`];
  if (then === 'long') return [first, `${all}(?:${separators})[${token}]{16}`];
  if (typeof then === 'number') return [first, `${all}[${token}]{${then}}`];
  const rest = `[${word}]{0,48}(?![${word}])`;
  return [first, `${all}(?:${rest}(?:[${valueNext}]|$|${afterBlank})|${told})|${option}${all}${rest} `];
}

function prefixSource({ text, length }: Prefix): readonly string[] {
  const bytes = Array.from(Buffer.from(text).subarray(0, maxFragment), (byte) => byteSource(byte, false));
  const begins = String.raw`(?:(?<![A-Za-z0-9-])|(?<=[\\%[;][${token}]{1,5}))`;
  return [bytes[0] ?? '', `${begins}(?=[${token}]{${length}})${bytes.join('')}`];
}

function byteSource(byte: number, anyCase: boolean): string {
  const one = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;
  const hasCase = anyCase && (byte >= 0x80 || /[a-z]/i.test(String.fromCharCode(byte)));
  return hasCase ? `[${one(byte & 0xdf)}${one(byte | 0x20)}]` : one(byte);
}
