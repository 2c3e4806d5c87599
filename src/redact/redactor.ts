import { contents } from '../kernel/fragment';
import { withoutByteOrderMark } from '../text/jsonText';
import type { Line } from '../text/bytes/line';
import { KnownValues } from './knownValues';
import { OwnPatterns } from './ownPatterns';
import { kernel } from './sought';
import { opensPrivateKey, PrivateKeyLines } from './shapes/privateKey';
import { LongText } from './longText';
import { mayHoldSecret, scan, spansInPiece } from './scan';
import type { Span } from './span';
import { mergedSpans } from './span';
import { rawView, replacedView } from './view';

const openBrace = 123;
/** Of Latin-1, whose texts have one byte a character. */
const maxLatin = 0xff;

export interface RedactorOptions {
  /** Values that may be secret, such as those of an agent's `env`. Those of less than eight characters and ordinary settings are not used. */
  readonly values?: readonly string[];
  /** Values that are secret because their name or the user says so. Not used if they are too short or too common to look for. */
  readonly secrets?: readonly string[];
  /** The person's own. What they match is replaced whole. Those that can be stopped are shared by several redactors. */
  readonly patterns?: OwnPatterns | readonly RegExp[];
}

/**
 * Replaces the secrets in lines by `[redacted]`, after the public prefix of a token: `sk-ant-…[redacted]`. It finds them by their name
 * (`apiKey`, `X-Auth-Token`, `DB_PASSWORD`), their shape, their place (`Bearer`, the password of a URL) and their value, however the line
 * was escaped.
 *
 * JSON stays JSON. Its member names stay as well, unless they are secrets themselves. The time it takes grows with the length of the line
 * and no faster. One redactor is for one run: it remembers that a private key began in a stream, whose lines come one by one.
 */
export class Redactor {
  readonly #given: readonly string[];
  readonly #secrets: Set<string>;
  readonly #patterns: OwnPatterns;
  #values: KnownValues;
  /** The private keys that have begun, by the stream that they are in. */
  readonly #privateKeys = new Map<string, PrivateKeyLines>();

  constructor({ values = [], secrets = [], patterns = [] }: RedactorOptions = {}) {
    this.#given = values;
    this.#secrets = new Set(secrets);
    this.#values = new KnownValues(values, secrets);
    this.#patterns = patterns instanceof OwnPatterns ? patterns : new OwnPatterns(patterns);
  }

  /** Adds secrets that came up after the start, such as the tokens of a login. */
  learn(secrets: readonly string[]): void {
    if (secrets.every((secret) => this.#secrets.has(secret))) return;
    for (const secret of secrets) this.#secrets.add(secret);
    // The newest first: their number is limited.
    this.#values = new KnownValues(this.#given, [...this.#secrets].reverse());
  }

  /**
   * True only if the line certainly has no secret, which is found out from its bytes. Only lines that begin as a JSON object and have their bytes
   * are looked at. Fast if the lines of a chunk come in order.
   */
  isClean(line: Line): boolean {
    const { chunk, start, content } = line;
    if (!chunk || chunk.bytes[start] !== openBrace || content === 'other') return false;
    if (!this.#patterns.isEmpty || this.#privateKeys.size > 0 || this.#values.mayBeInLine(chunk, start, line.end)) {
      return false;
    }
    return !line.isCandidate || !mayHoldSecret(line.searchText);
  }

  /**
   * The line without its secrets; the same string if there are none.
   * @param stream the stream that it is a line of; absent for any other text
   */
  line(text: string, stream?: string): string {
    const bare = withoutByteOrderMark(text);
    if (bare.length < text.length) return text.slice(0, text.length - bare.length) + this.line(bare, stream);
    const ofKey = stream === undefined ? undefined : this.#lineOfKey(text, stream);
    if (ofKey !== undefined) return ofKey;
    const known = this.#patterns.redact(this.#values.redact(text));
    // The kernel leaves little to the search, but two bytes a character take longer to encode than to search.
    const isClean = known.charCodeAt(0) <= maxLatin && (kernel.textContents(known) & contents.candidate) === 0;
    if (isClean || !mayHoldSecret(known)) return known;
    // A line that opens a key has nothing to replace yet.
    if (stream !== undefined && opensPrivateKey(text)) this.#privateKeys.set(stream, new PrivateKeyLines());
    return scan(known, this.#values, this.#patterns);
  }

  /** A text that comes in pieces, because it is too long to be redacted as one line. */
  longText(): LongText {
    return new LongText((piece) => this.#spansInPiece(piece));
  }

  #spansInPiece(piece: string): readonly Span[] {
    const raw = rawView(piece);
    const values = mergedSpans(this.#values.spans(piece));
    const known = replacedView(raw, values);
    const own = mergedSpans(this.#patterns.spansInPiece(known.text));
    const rest = replacedView(known, own);
    return [
      ...values,
      ...own.map((span) => known.original(span)),
      ...spansInPiece(rest.text, this.#values, this.#patterns).map((span) => rest.original(span)),
    ];
  }

  #lineOfKey(text: string, stream: string): string | undefined {
    const key = this.#privateKeys.get(stream);
    const taken = key?.take(text);
    if (key?.isOver === true) this.#privateKeys.delete(stream);
    return taken;
  }
}
