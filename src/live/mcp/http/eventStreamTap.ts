import { Line } from '../../../text/bytes/line';
import type { Wire } from '../../connection/agentConnection';
import { LineReader } from '../../../wire/lines/lineReader';
import { LongLine } from '../../../wire/lines/longLine';

/** How long to read a stream before yielding to the event loop, in milliseconds. Other extensions share it. */
const sliceMs = 4;
/** How often to check whether a slow consumer has caught up, in milliseconds. */
const congestedMs = 2;
/** The data field of an event, at the start of a stream or line. */
const dataField = /^\ufeff?data: ?/;
/** Maximum length of `dataField`, in bytes. */
const dataFieldBytes = 9;
const [lineFeed, carriageReturn] = [10, 13];
const lineBreak = Buffer.from('\n');

export interface EventStreamEnd {
  /** The ID of its last event, from which it can be resumed. */
  readonly lastId?: string;
  readonly error?: unknown;
}

export interface EventStreamTapOptions extends Pick<Wire, 'maxLineBytes' | 'maxMessageBytes' | 'isBehind' | 'onSlice'> {
  /** Receives the data of a message. Returns what to pass on to the library. */
  readonly onMessage: (data: Line) => readonly string[];
  /** Called at the end of the stream. Returns what to pass on to the library last. */
  readonly onEnd: (end: EventStreamEnd) => readonly string[];
}

/**
 * Reads server-sent events (HTML standard, section 9.2) and passes on only what the library needs. Event IDs are always passed on, so
 * that a broken stream can be resumed.
 *
 * eventsource-parser (3.1) can't replace it: it drops the ID of an event without data, and stops for good at its size limit, without
 * reporting the size of the message and the ID of its request.
 */
export class EventStreamTap {
  private readonly lines: LineReader;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly encoder = new TextEncoder();
  private output = '';
  private lastId: string | undefined;
  private until = 0;
  private isCancelled = false;
  private event: { id?: string; type?: string; retry?: string; data: string[]; bytes: number; long?: LongLine } =
    noEvent();
  /** The start of a line over the limit; `undefined` once its field is known. */
  private fieldStart: Buffer | undefined = Buffer.alloc(0);
  private isLongData = false;
  private endedInReturn = false;

  private constructor(
    body: ReadableStream<Uint8Array>,
    private readonly options: EventStreamTapOptions,
  ) {
    this.reader = body.getReader();
    this.lines = new LineReader(options.maxLineBytes, { onPiece: (bytes) => this.takePiece(bytes) });
  }

  static on(body: ReadableStream<Uint8Array>, options: EventStreamTapOptions): ReadableStream<Uint8Array> {
    const tap = new EventStreamTap(body, options);
    return new ReadableStream<Uint8Array>({
      pull: (controller) => tap.pull(controller),
      cancel: (reason) => {
        tap.isCancelled = true;
        return tap.reader.cancel(reason);
      },
    });
  }

  /** Reads until there is something to pass on. */
  private async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.until = performance.now() + sliceMs;
    try {
      for (;;) {
        await this.drain();
        this.options.onSlice();
        if (this.passOn(controller)) return;
        const { done, value } = await this.reader.read();
        if (done) break;
        this.lines.push(this.withLineFeeds(Buffer.from(value)));
      }
      this.end(controller, {});
    } catch (error) {
      // Nothing reads the rest.
      this.reader.cancel(error).catch(() => undefined);
      this.end(controller, { error });
    }
  }

  /** Lines end with a line feed, a carriage return, or both. */
  private withLineFeeds(chunk: Buffer): Buffer {
    const bytes = this.endedInReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk;
    if (chunk.length > 0) this.endedInReturn = chunk.at(-1) === carriageReturn;
    return bytes.includes(carriageReturn)
      ? Buffer.from(bytes.toString('latin1').replace(/\r\n?/g, '\n'), 'latin1')
      : bytes;
  }

  private async drain(): Promise<void> {
    for (let line = this.lines.next(); line; line = this.lines.next()) {
      this.take(line);
      if (performance.now() < this.until && !this.options.isBehind()) continue;
      this.options.onSlice();
      await breathe();
      while (this.options.isBehind()) await breathe(congestedMs);
      this.until = performance.now() + sliceMs;
    }
  }

  private passOn(controller: ReadableStreamDefaultController<Uint8Array>): boolean {
    if (this.output === '' || this.isCancelled) return false;
    controller.enqueue(this.encoder.encode(this.output));
    this.output = '';
    return true;
  }

  private end(controller: ReadableStreamDefaultController<Uint8Array>, error: { readonly error?: unknown }): void {
    const lastId = this.lastId === undefined ? {} : { lastId: this.lastId };
    for (const data of this.options.onEnd({ ...lastId, ...error })) this.output += `data: ${data}\n\n`;
    this.options.onSlice();
    this.passOn(controller);
    if (!this.isCancelled) controller.close(); // An error would discard what was passed on last.
  }

  private take({ text, bytes }: Line): void {
    if (bytes !== undefined) {
      this.fieldStart = Buffer.alloc(0);
      return; // `takePiece` has taken its bytes.
    }
    if (text === '') return this.dispatch();
    const [, name, value = ''] = /^\ufeff?([^:]*)(?:: ?)?(.*)$/s.exec(text) ?? [];
    const { event } = this;
    if (name === 'data') this.takeData(value);
    else if (name === 'id') event.id = value;
    else if (name === 'event') event.type = value;
    else if (name === 'retry') event.retry = value;
  }

  /** Takes the next bytes of a line over the limit. Only data fields matter. */
  private takePiece(bytes: Buffer): void {
    if (!this.fieldStart) {
      if (this.isLongData) this.event.long?.add(bytes);
      return;
    }
    const start = Buffer.concat([this.fieldStart, bytes]);
    this.fieldStart = start.length < dataFieldBytes ? start : undefined;
    if (this.fieldStart) return;
    const field = dataField.exec(start.toString('utf8', 0, dataFieldBytes))?.[0];
    this.isLongData = field !== undefined;
    if (field !== undefined) this.addLong(start.subarray(Buffer.byteLength(field)));
  }

  /** Most messages are one line. Those with many lines are limited like long ones. */
  private takeData(text: string): void {
    const { event } = this;
    if (event.long) return this.addLong(Buffer.from(text));
    event.data.push(text);
    // Count the line break, too, so that empty lines are limited.
    event.bytes += Buffer.byteLength(text) + 1;
    if (event.bytes > this.options.maxLineBytes + 1) this.addLong();
  }

  /** @param line the start of another data line */
  private addLong(line?: Buffer): void {
    const { event, options } = this;
    const isFirst = event.long === undefined && event.data.length === 0;
    if (!event.long) {
      event.long = new LongLine(options.maxLineBytes, { maxWholeBytes: options.maxMessageBytes });
      event.long.add(Buffer.from(event.data.join('\n')));
      event.data = [];
    }
    if (!line) return;
    if (!isFirst) event.long.add(lineBreak);
    event.long.add(line);
  }

  private dispatch(): void {
    const { id, type, retry, data, long } = this.event;
    this.event = noEvent();
    if (id !== undefined && id !== '') this.lastId = id;
    let head = `${id === undefined ? '' : `id: ${id}\n`}${retry === undefined ? '' : `retry: ${retry}\n`}`;
    const line = long ? long.end() : Line.of(data.join('\n'));
    const isMessage = type === undefined || type === '' || type === 'message';
    if (!isMessage) {
      const lines = data.map((text) => `data: ${text}\n`).join('');
      this.output += `event: ${type}\n${head}${lines}\n`;
      return;
    }
    for (const one of line.text === '' ? [] : this.options.onMessage(line)) {
      this.output += `${head}data: ${one}\n\n`;
      head = '';
    }
    // An event without data: the library still needs its ID.
    if (head !== '') this.output += `${head}data:\n\n`;
  }
}

function noEvent(): EventStreamTap['event'] {
  return { data: [], bytes: 0 };
}

function breathe(ms?: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms === undefined) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}
