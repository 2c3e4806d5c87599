import { StringDecoder } from 'node:string_decoder';
import type { TextRedactor } from '../../redact/textRedactor';
import type { WirePiece } from '../wireEvent';

/** Maximum number of bytes to copy of one line. */
const maxBytes = 16 * 1024 * 1024;
/** How much is decoded at once, in bytes. */
const chunkBytes = 64 * 1024;

export interface LongLineCopyOptions {
  readonly dir: WirePiece['dir'];
  readonly now: () => number;
  readonly redactor: TextRedactor;
  readonly write: (piece: WirePiece) => void;
}

/** Writes a line that is too long for memory to the journal, in pieces and up to a maximum. */
export class LongLineCopy {
  private decoder = new StringDecoder('utf8');
  private bytes = 0;

  constructor(private readonly options: LongLineCopyOptions) {}

  /** Adds the next bytes of the line, or all of them at once. */
  add(bytes: Buffer): void {
    const wanted = bytes.subarray(0, maxBytes - this.bytes);
    this.bytes += wanted.length;
    for (let at = 0; at < wanted.length; at += chunkBytes) {
      this.write(this.options.redactor.add(this.decoder.write(wanted.subarray(at, at + chunkBytes))));
    }
  }

  /** Ends the line. Returns how many of its bytes were copied. */
  end(): number {
    this.write(this.options.redactor.add(this.decoder.end()));
    this.write(this.options.redactor.end());
    const copied = this.bytes;
    this.bytes = 0;
    this.decoder = new StringDecoder('utf8');
    return copied;
  }

  private write(part: string): void {
    const { dir, now, write } = this.options;
    if (part !== '') write({ t: now(), dir, part });
  }
}
