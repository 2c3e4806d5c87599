import type { RunProtocol } from '../../../wire/protocol';
import type { Line } from '../../../text/bytes/line';
import type { Redactor } from '../../../redact/redactor';
import type { JournalWriter } from '../../../wire/journal/journalWriter';
import type { Framing, StreamReader } from '../../../wire/lines/framing';
import { contentLengthFraming, lineFraming } from '../../../wire/lines/framing';
import { jsonValueOf } from '../../../wire/jsonValue';
import { CutLine } from '../../../wire/lines/longLine';
import { readLongMessage } from '../../../wire/lines/longMessage';
import type { ProcessEvent, WireEvent } from '../../../wire/wireEvent';
import { WireLine } from '../../../wire/wireLine';
import { redactedLine, redactEvent } from '../../../runLog/reading/redactEvent';
import type { StreamName, ToThread } from './threadMessage';

/** How much of a line is kept, in bytes. */
export interface LineLimits {
  /** Lines up to this length are kept whole. */
  readonly whole: number;
  /** Requests and responses up to this length are kept with their long strings cut; only the beginning of all other lines. */
  readonly message: number;
}

const usualLimits: LineLimits = { whole: 16 * 1024 * 1024, message: 64 * 1024 * 1024 };
/** Approximate length of a line in the journal besides its text, in characters. */
const overhead = 80;
/** How much may wait to be written before the next bytes are processed, in characters. */
const maxUnwritten = 1024 * 1024;
const lineFeed = 10;

/** Splits the relayed bytes into lines, redacts them, and writes them to a journal. */
export class JournalKeeper {
  private readonly streams: Readonly<Record<StreamName, StreamLines>>;
  private unwritten = 0;

  constructor(
    private readonly journal: Pick<JournalWriter, 'write' | 'flush' | 'close'>,
    protocol: RunProtocol | '',
    private readonly redactor: Redactor,
    private readonly limits: LineLimits = usualLimits,
  ) {
    const messages = protocol === 'lsp' ? contentLengthFraming : lineFraming;
    const stream = (framing: Framing, maxWholeBytes: number): StreamLines =>
      new StreamLines(() => framing.newReader(limits.whole, { maxWholeBytes }));
    this.streams = {
      c2a: stream(messages, limits.message),
      a2c: stream(messages, limits.message),
      err: stream(lineFraming, 0),
    };
  }

  /** Resolves when the disk can take more. */
  async accept(message: Exclude<ToThread, { type: 'close' }>): Promise<void> {
    const { t } = message;
    switch (message.type) {
      case 'chunk': {
        const { buffer, byteOffset, byteLength } = message.bytes;
        this.keepAll(message.dir, t, this.streams[message.dir].push(Buffer.from(buffer, byteOffset, byteLength)));
        break;
      }
      case 'skipped':
        this.keepAll(message.dir, t, this.streams[message.dir].skip());
        this.write({ t, dir: 'ev', ev: 'skipped', bytes: message.bytes });
        break;
      case 'event':
        this.acceptEvent(t, message.event);
        break;
    }
    if (this.unwritten < maxUnwritten) return;
    this.unwritten = 0;
    await this.journal.flush();
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  private acceptEvent(t: number, event: ProcessEvent): void {
    if (event.ev === 'exit') {
      for (const dir of ['c2a', 'a2c', 'err'] as const) this.keepAll(dir, t, this.streams[dir].end());
    }
    this.write(redactEvent({ t, dir: 'ev', ...event }, this.redactor));
  }

  private keepAll(dir: StreamName, t: number, lines: Iterable<Line>): void {
    for (const line of lines) this.keep(dir, t, line);
  }

  private keep(dir: StreamName, t: number, line: Line): void {
    const { bytes } = line;
    if (dir === 'err') {
      return this.write({
        t,
        dir,
        line: redactedLine(line.text, this.redactor, dir),
        ...(bytes !== undefined && { bytes }),
      });
    }
    const isWhole = line instanceof CutLine && line.isWhole;
    const logged = isWhole ? readLongMessage(line, this.limits.message).logged : { line: line.text };
    const text = redactedLine(logged.line, this.redactor, dir);
    if (text.trim() === '') return; // Some agents end each message with two line feeds.
    this.write(WireLine.of(t, dir, text, { bytes, ...('msg' in logged && jsonValueOf(text)) }));
  }

  private write(event: WireEvent): void {
    this.unwritten += overhead + ('line' in event ? event.line.length : 0);
    this.journal.write(event);
  }
}

/** Splits a stream with gaps into lines: the line before a gap ends there, and the rest of the line after it is skipped. */
class StreamLines {
  private reader: StreamReader;
  private isLost = false;

  constructor(private readonly newReader: () => StreamReader) {
    this.reader = newReader();
  }

  *push(chunk: Buffer): Generator<Line> {
    let bytes = chunk;
    if (this.isLost) {
      const end = chunk.indexOf(lineFeed) + 1;
      if (end === 0) return;
      this.isLost = false;
      bytes = chunk.subarray(end);
    }
    this.reader.push(bytes);
    yield* this.whole();
  }

  /** Some bytes are missing here. */
  *skip(): Generator<Line> {
    yield* this.end();
    this.reader = this.newReader();
    this.isLost = true;
  }

  *end(): Generator<Line> {
    yield* this.whole();
    const last = this.reader.end();
    if (last) yield last;
  }

  private *whole(): Generator<Line> {
    for (let line = this.reader.next(); line; line = this.reader.next()) yield line;
  }
}
