import { parsedJson } from '../text/jsonText';

/** The `id` and `method` of a JSON-RPC message. An ID that is neither a string nor a number is left out. */
export interface Envelope {
  readonly id?: string | number;
  readonly method?: string;
}

/** Maximum length of names and values, in bytes. Longer ones are ignored. */
const maxKept = 4096;
/** Maximum number of messages in a batch. The rest is ignored. */
const maxMessages = 1000;
/** So many bytes of a string are searched one by one, which is faster for short ones, and so many at once after that. */
const [shortString, longString] = [256, 16 * 1024];
const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Finds the `id` and `method` of a message that is too long to parse, as its bytes arrive and in constant memory. Only top-level members
 * count, and the last one if a name repeats, as in `JSON.parse`. A batch has an envelope per message.
 */
export class EnvelopeScanner {
  private readonly found: Envelope[] = [];
  private depth = 0;
  /** The depth of a message's members: 1, or 2 in a batch. */
  private memberDepth = 1;
  private isOver = false;
  private isBroken = false;
  private inString = false;
  private isEscaped = false;
  private bytesBefore = 0;
  /** The message whose members are being read. */
  private message: { id?: unknown; method?: unknown } | undefined;
  /** The name of the current member, once its colon was seen. */
  private name: unknown;
  /** The bytes of a name or a plain value. */
  private kept: number[] = [];

  add(bytes: Uint8Array): void {
    const { length } = bytes;
    for (let at = 0; at < length && !this.isBroken; at++) {
      const byte = bytes[at] ?? 0;
      if (!this.inString) this.outside(byte);
      else if (this.isEscaped || this.isMember) this.inside(byte);
      else {
        at = stringStop(bytes, at);
        if (at < length) this.inside(bytes[at] ?? 0);
      }
    }
  }

  /** The envelopes of the complete message; none if it isn't valid. */
  get envelopes(): readonly Envelope[] {
    return this.isOver && !this.isBroken ? this.found : [];
  }

  /** Whether the current byte belongs to a member's name or plain value. */
  private get isMember(): boolean {
    return this.message !== undefined && this.depth === this.memberDepth;
  }

  private inside(byte: number): void {
    if (this.isMember) this.keep(byte);
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.inString = false;
  }

  private outside(byte: number): void {
    switch (byte) {
      case 32:
      case 9:
      case 10:
      case 13:
        return;
      case openBrace:
      case openBracket:
        return this.open(byte);
      case closeBrace:
      case closeBracket:
        return this.close();
      case quote:
        this.inString = true;
        break;
      case colon:
        if (this.isMember) this.takeName();
        return;
      case comma:
        if (this.isMember) this.takeValue();
        return;
      default:
    }
    if (this.isMember) this.keep(byte);
    else if (this.depth === 0 && byte !== byteOrderMark[this.bytesBefore++]) this.isBroken = true;
  }

  private open(byte: number): void {
    if (this.depth === 0) {
      if (this.isOver) this.isBroken = true;
      if (byte === openBracket) this.memberDepth = 2;
    }
    this.depth++;
    if (byte === openBrace && this.depth === this.memberDepth) this.message = {};
  }

  private close(): void {
    if (this.message && this.isMember) {
      this.takeValue();
      if (this.found.length < maxMessages) this.found.push(envelopeOf(this.message));
      this.message = undefined;
    }
    this.depth--;
    if (this.depth === 0) this.isOver = true;
    if (this.depth < 0) this.isBroken = true;
  }

  private keep(byte: number): void {
    if (this.kept.length <= maxKept) this.kept.push(byte);
  }

  /** Decodes only names that are as long as `"id"` or `"method"`, or escaped. */
  private takeName(): void {
    const { kept } = this;
    const isWanted = kept.length === 4 || kept.length === 8 || kept.includes(backslash);
    this.name = isWanted ? this.takeKept() : undefined;
    this.kept = [];
  }

  private takeValue(): void {
    const { name, message } = this;
    this.name = undefined;
    if (message && (name === 'id' || name === 'method')) message[name] = this.takeKept();
    else if (this.kept.length > 0) this.kept = [];
  }

  /** The value of the bytes kept; `undefined` for an object or array, whose bytes are deeper. */
  private takeKept(): unknown {
    const { kept } = this;
    this.kept = [];
    return kept.length > maxKept ? undefined : parsedJson(Buffer.from(kept).toString());
  }
}

/** The next quotation mark or backslash, or the end. A long message is mostly long strings, whose contents don't matter here. */
function stringStop(bytes: Uint8Array, start: number): number {
  const soon = Math.min(bytes.length, start + shortString);
  for (let at = start; at < soon; at++) if (bytes[at] === quote || bytes[at] === backslash) return at;
  for (let at = soon; at < bytes.length; at += longString) {
    const part = bytes.subarray(at, at + longString);
    const end = part.indexOf(quote);
    const escape = (end < 0 ? part : part.subarray(0, end)).indexOf(backslash);
    const stop = escape < 0 ? end : escape;
    if (stop >= 0) return at + stop;
  }
  return bytes.length;
}

function envelopeOf({ id, method }: { readonly id?: unknown; readonly method?: unknown }): Envelope {
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    ...(typeof method === 'string' && { method }),
  };
}
