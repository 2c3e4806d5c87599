import { StringDecoder } from 'node:string_decoder';
import type { WirePiece } from '../wireEvent';

/** Maximum number of bytes to copy of one line. */
const maxBytes = 16 * 1024 * 1024;
/** Approximate length of a piece, in characters. */
const pieceChars = 64 * 1024;
/** How far before its end a piece may be cut, so that names and values stay together, in characters. */
const cutWithin = 4096;

export interface LongLineCopyOptions {
  readonly dir: WirePiece['dir'];
  readonly now: () => number;
  /** Redacts a piece of a line. */
  readonly redact: (text: string) => string;
  readonly write: (piece: WirePiece) => void;
}

/** Writes a line that is too long for memory to the journal, in pieces and up to a maximum. */
export class LongLineCopy {
  private decoder = new StringDecoder('utf8');
  private waiting = '';
  private bytes = 0;

  constructor(private readonly options: LongLineCopyOptions) {}

  /** Adds the next bytes of the line, or all of them at once. */
  add(bytes: Buffer): void {
    const wanted = bytes.subarray(0, maxBytes - this.bytes);
    this.bytes += wanted.length;
    for (let at = 0; at < wanted.length; at += pieceChars) {
      this.waiting += this.decoder.write(wanted.subarray(at, at + pieceChars));
      if (this.waiting.length >= pieceChars) this.write(cutBefore(this.waiting));
    }
  }

  /** Ends the line. Returns how many of its bytes were copied. */
  end(): number {
    this.waiting += this.decoder.end();
    if (this.waiting !== '') this.write(this.waiting.length);
    const copied = this.bytes;
    this.bytes = 0;
    this.decoder = new StringDecoder('utf8');
    return copied;
  }

  private write(length: number): void {
    const { dir, now, redact, write } = this.options;
    write({ t: now(), dir, part: redact(this.waiting.slice(0, length)) });
    this.waiting = this.waiting.slice(length);
  }
}

/** Up to the last white space that isn't between a name and its value. */
const lastGap = /^.*[^\s:=](?=\s+[^\s:=])/s;

/** Where to cut a text: after a comma, else at white space, else at its end. A secret that is cut in two isn't recognized. */
function cutBefore(text: string): number {
  const earliest = Math.max(0, text.length - cutWithin);
  const end = text.slice(earliest);
  const comma = end.lastIndexOf(',');
  if (comma >= 0) return earliest + comma + 1;
  const gap = lastGap.exec(end);
  return gap ? earliest + gap[0].length : text.length;
}
