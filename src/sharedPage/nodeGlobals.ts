// What the store needs of Node's globals, in a browser. Imported before everything else.

const encoder = new TextEncoder();
const decoders: Readonly<Record<string, TextDecoder>> = {
  utf8: new TextDecoder('utf-8', { ignoreBOM: true }),
  utf16le: new TextDecoder('utf-16le', { ignoreBOM: true }),
  /** One character for each byte. Those from 0x80 on may be others than in Node, but only ASCII is looked for. */
  latin1: new TextDecoder('latin1'),
};

/** The part of Node's `Buffer` that the store uses. */
class PageBuffer extends Uint8Array<ArrayBuffer> {
  static alloc(size: number): PageBuffer {
    return new PageBuffer(new ArrayBuffer(size));
  }

  static allocUnsafeSlow(size: number): PageBuffer {
    return new PageBuffer(new ArrayBuffer(size));
  }

  static fromText(text: string, encoding = 'utf8'): PageBuffer {
    if (encoding === 'utf8') return new PageBuffer(encoder.encode(text).buffer);
    const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    return encoding === 'latin1'
      ? new PageBuffer(Uint8Array.from(codes).buffer)
      : new PageBuffer(Uint16Array.from(codes).buffer);
  }

  static concat(parts: readonly Uint8Array[]): PageBuffer {
    const whole = PageBuffer.alloc(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** How many bytes a text has in UTF-8. */
  static byteLength(text: string): number {
    let bytes = text.length;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x80) continue;
      if (code < 0x800) bytes++;
      else if (code < 0xd800 || code > 0xdbff || (text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) bytes += 2;
      else {
        bytes += 2; // four bytes for two units
        at++;
      }
    }
    return bytes;
  }

  override toString(encoding = 'utf8', start = 0, end = this.length): string {
    return decoders[encoding]?.decode(this.subarray(start, end)) ?? '';
  }

  write(text: string, at: number): number {
    return encoder.encodeInto(text, this.subarray(at)).written;
  }

  copy(target: Uint8Array, at = 0, start = 0, end = this.length): number {
    target.set(this.subarray(start, end), at);
    return end - start;
  }

  readInt32LE(at: number): number {
    return new DataView(this.buffer, this.byteOffset).getInt32(at, true);
  }
}

// `from` of a subclass has to fit that of `Uint8Array`, which knows no texts.
Object.defineProperty(PageBuffer, 'from', {
  value: (text: string, encoding?: string) => PageBuffer.fromText(text, encoding),
});

/** Timers of 0 ms are slowed down after a few. */
const turns = new MessageChannel();
const waiting: (() => void)[] = [];
turns.port1.onmessage = () => waiting.shift()?.();

Object.assign(globalThis, {
  Buffer: PageBuffer,
  setImmediate: (use: () => void) => {
    waiting.push(use);
    turns.port2.postMessage(undefined);
  },
});
