import type { Readable } from 'node:stream';
import type { Line } from '../../log/bytes/line';
import type { Framing, StreamReader } from './framing';
import { lineFraming } from './framing';
import type { LineOptions } from './longLine';

/** How long one turn of the event loop may be spent on lines, in milliseconds. The extension host is shared with everything else. */
const sliceMs = 4;
/** How long a pump waits for those who cannot follow before it looks again, in milliseconds. */
const congestedMs = 2;
/** The clock is checked once in this many lines, because that costs. */
const linesPerLook = 32;

export interface LinePumpOptions extends LineOptions {
  readonly maxLineBytes: number;
  /** How lines are set apart. Default: by line feeds. */
  readonly framing?: Framing;
  readonly onLine: (line: Line) => void;
  /** After the lines of one slice: the moment to tell others what has come. */
  readonly onSlice: () => void;
  /** Once, after the last line. */
  readonly onEnd: () => void;
  /** The stream failed. */
  readonly onError: (error: Error) => void;
  /** `onLine` threw; reading goes on. */
  readonly onLineError: (error: unknown) => void;
  /** Whether what was read is still being worked on, so that the next line has to wait. */
  readonly isCongested?: () => boolean;
}

/** Carries the lines of a stream to a function, pausing the stream when it comes faster than its lines can be handled. */
export class LinePump {
  private readonly lines: StreamReader;
  /** When this turn of the event loop has been used up. */
  private until: number | undefined;
  private working = false;
  private ended = false;
  private done = false;

  constructor(
    private readonly input: Readable,
    private readonly options: LinePumpOptions,
  ) {
    this.lines = (options.framing ?? lineFraming).newReader(options.maxLineBytes, options);
    input.on('data', (chunk: Buffer) => {
      this.lines.push(chunk);
      if (!this.working) this.work();
    });
    input.on('error', (error) => options.onError(error));
    input.once('end', () => this.finish());
    // A destroyed stream closes without an end.
    input.once('close', () => this.finish());
  }

  private readonly work = (): void => {
    const until = (this.until ??= this.beginTurn());
    for (let count = 1; ; count++) {
      if (this.options.isCongested?.() === true) return this.breathe(congestedMs);
      const line = this.lines.next();
      if (!line) return this.rest();
      this.deliver(line);
      // A line over the limit may have taken as long as many others.
      const isTimeToLook = count % linesPerLook === 0 || line.bytes !== undefined;
      if (isTimeToLook && performance.now() > until) return this.breathe();
    }
  };

  /** A stream hands over many chunks in one turn of the event loop (libuv reads up to 32 times): they share its slice. */
  private beginTurn(): number {
    setImmediate(() => (this.until = undefined));
    return performance.now() + sliceMs;
  }

  private deliver(line: Line): void {
    try {
      this.options.onLine(line);
    } catch (error) {
      this.options.onLineError(error);
    }
  }

  /** More lines are there, but other work of the event loop goes first. */
  private breathe(ms?: number): void {
    this.working = true;
    this.input.pause();
    this.options.onSlice();
    if (ms === undefined) setImmediate(this.work);
    else setTimeout(this.work, ms);
  }

  private rest(): void {
    if (this.ended && !this.done) {
      this.done = true;
      const last = this.lines.end();
      if (last) this.deliver(last);
      this.options.onSlice();
      this.options.onEnd();
      return;
    }
    this.options.onSlice();
    if (this.working) {
      this.working = false;
      this.input.resume();
    }
  }

  private finish(): void {
    if (this.ended) return;
    this.ended = true;
    if (!this.working) this.work();
  }
}
