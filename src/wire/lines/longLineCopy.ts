import { StringDecoder } from 'node:string_decoder';
import type { WirePiece } from '../wireEvent';

/** Of one line, this many bytes are copied at most. */
const maxBytes = 16 * 1024 * 1024;
/** About how long a piece is, in characters. */
const pieceChars = 64 * 1024;
/** How far before its end a piece may be cut, so that a name and its value stay together. */
const cutWithin = 4096;

export interface LongLineCopyOptions {
  readonly dir: WirePiece['dir'];
  readonly now: () => number;
  /** Takes secrets out of a piece of a line. */
  readonly redact: (text: string) => string;
  readonly write: (piece: WirePiece) => void;
}

/** Carries a line that is too long to be held into the journal, in pieces as its bytes come, up to a cap. */
export class LongLineCopy {
  private decoder = new StringDecoder('utf8');
  private waiting = '';
  private bytes = 0;

  constructor(private readonly options: LongLineCopyOptions) {}

  /** Takes the line's next bytes, or all of them at once. */
  add(bytes: Buffer): void {
    const wanted = bytes.subarray(0, maxBytes - this.bytes);
    this.bytes += wanted.length;
    for (let at = 0; at < wanted.length; at += pieceChars) {
      this.waiting += this.decoder.write(wanted.subarray(at, at + pieceChars));
      if (this.waiting.length >= pieceChars) this.write(cutBefore(this.waiting));
    }
  }

  /** The line is complete: answers how many of its bytes were copied. */
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

/** The last white space that isn't between a name and its value. */
const lastGap = /^.*[^\s:=](?=\s+[^\s:=])/s;

/** Where a text is best cut: after a comma, else at white space, else at its end. A secret that is cut in two is not recognised. */
function cutBefore(text: string): number {
  const earliest = text.length - cutWithin;
  const comma = text.lastIndexOf(',');
  if (comma >= earliest) return comma + 1;
  const gap = lastGap.exec(text.slice(Math.max(0, earliest)));
  return gap ? Math.max(0, earliest) + gap[0].length : text.length;
}
