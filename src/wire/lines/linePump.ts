import type { Readable } from 'node:stream';
import type { Line } from '../../text/bytes/line';
import type { Framing, StreamReader } from './framing';
import { lineFraming } from './framing';
import type { LineOptions } from './longLine';

/** Maximum time per turn of the event loop, in milliseconds. Other extensions share the extension host. */
const sliceMs = 4;
/** Time between two checks whether a slow consumer has caught up, in milliseconds. */
const congestedMs = 2;
/** Number of lines between two readings of the clock, which isn't free. */
const linesPerClockCheck = 32;

export interface LinePumpOptions extends LineOptions {
  readonly maxLineBytes: number;
  /** How messages are separated. Default: by line feeds. */
  readonly framing?: Framing;
  readonly onLine: (line: Line) => void;
  /** Called after each slice of lines, so that listeners are notified once per slice. */
  readonly onSlice: () => void;
  /** Called once, after the last line. */
  readonly onEnd: () => void;
  /** The stream failed. */
  readonly onError: (error: Error) => void;
  /** `onLine` threw an error. Reading continues. */
  readonly onLineError: (error: unknown) => void;
  /** Whether the consumer is still busy with earlier lines, so that the next one must wait. */
  readonly isCongested?: () => boolean;
}

/** Passes the lines of a stream to a callback. Pauses the stream while lines arrive faster than they can be handled. */
export class LinePump {
  private readonly lines: StreamReader;
  /** End of the slice in this turn of the event loop. */
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
      if (this.options.isCongested?.() === true) return this.yieldTurn(congestedMs);
      const line = this.lines.next();
      if (!line) return this.wait();
      this.deliver(line);
      // A line over the limit may have taken as long as many others.
      const isClockCheckDue = count % linesPerClockCheck === 0 || line.bytes !== undefined;
      if (isClockCheckDue && performance.now() > until) return this.yieldTurn();
    }
  };

  /** All chunks of one turn of the event loop share a slice; libuv reads up to 32 per turn. */
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

  /** Continues later, so that other work of the event loop runs first. */
  private yieldTurn(ms?: number): void {
    this.working = true;
    this.input.pause();
    this.options.onSlice();
    if (ms === undefined) setImmediate(this.work);
    else setTimeout(this.work, ms);
  }

  private wait(): void {
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
