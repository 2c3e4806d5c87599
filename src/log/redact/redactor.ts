import type { ByteChunk } from '../byteChunk';
import { withoutByteOrderMark } from '../byteOrderMark';
import type { LineRecord } from '../lineRecord';
import { LineSieve } from './lineSieve';
import { ExactValues } from './exactValues';
import { OwnPatterns } from './ownPatterns';
import { opensPrivateKey } from './pem';
import { PrivateKeyLines } from './privateKeyLines';
import { scan } from './scan';
import type { Span } from './span';

export interface RedactorOptions {
  /** Values that are secret, as those of environment variables. Those of less than eight characters and ordinary settings are not used. */
  readonly values?: readonly string[];
  /** The person's own. What they match is replaced whole. Those that can be stopped are shared by several redactors. */
  readonly patterns?: OwnPatterns | readonly RegExp[];
}

/**
 * Replaces the secrets in lines by `[redacted]`, with the public beginning of a token before it: `sk-ant-…[redacted]`. It knows them by
 * their name (`apiKey`, `X-Auth-Token`, `DB_PASSWORD`; in JSON up to three strings deep, logfmt, headers, URLs, dumps of the environment
 * and of objects), by their shape, by where they stand (`Bearer`, the password of a URL) and by their value.
 *
 * JSON stays JSON with the same names, and only strings change. The time it takes grows with the length of the line and no faster.
 * One redactor is for one run: it remembers that a private key began in a stream, whose lines come one by one, with messages in between.
 */
export class Redactor {
  readonly #values: ExactValues;
  readonly #patterns: OwnPatterns;
  readonly #sieve: LineSieve;
  /** The private keys that have begun, by the stream that they are in. */
  readonly #privateKeys = new Map<string, PrivateKeyLines>();

  constructor({ values = [], patterns = [] }: RedactorOptions = {}) {
    this.#values = new ExactValues(values);
    this.#patterns = patterns instanceof OwnPatterns ? patterns : new OwnPatterns(patterns);
    this.#sieve = new LineSieve(this.#values.anchors);
  }

  /** Whether there is surely nothing to take out of the line of a log message. Asking about the lines of a chunk in their order is fast. */
  isClean(chunk: ByteChunk, line: LineRecord): boolean {
    return this.#patterns.isEmpty && this.#sieve.isClean(chunk, line);
  }

  /**
   * The line without its secrets; the same string where there are none.
   * @param stream the one that it is a line of; a text of its own is of none
   */
  line(text: string, stream?: string): string {
    const bare = withoutByteOrderMark(text);
    if (bare.length < text.length) return text.slice(0, text.length - bare.length) + this.line(bare, stream);
    const ofKey = stream === undefined ? undefined : this.#lineOfKey(text, stream);
    if (ofKey !== undefined) return ofKey;
    const redacted = scan(this.#patterns.redact(this.#values.redact(text)), this.#known);
    // It is the line as it was: what opens a key has nothing to replace yet.
    if (stream !== undefined && opensPrivateKey(text)) this.#privateKeys.set(stream, new PrivateKeyLines());
    return redacted;
  }

  readonly #known = (text: string): readonly Span[] => [...this.#values.spans(text), ...this.#patterns.spans(text)];

  #lineOfKey(text: string, stream: string): string | undefined {
    const key = this.#privateKeys.get(stream);
    const taken = key?.take(text);
    if (key?.isOver === true) this.#privateKeys.delete(stream);
    return taken;
  }
}
