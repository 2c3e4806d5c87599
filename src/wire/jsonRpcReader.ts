import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, NotificationMessage, ResponseMessage } from 'vscode-jsonrpc/node';
import { AbstractMessageReader, Message } from 'vscode-jsonrpc/node';
import { boundedJson } from '../text/boundedJson';
import type { ByteChunk } from '../text/bytes/byteChunk';
import type { Line } from '../text/bytes/line';
import type { FlowControl } from './flowControl';
import type { Framing } from './lines/framing';
import type { LineOptions } from './lines/longLine';
import { LinePump } from './lines/linePump';
import { CutLine } from './lines/longLine';
import { readLongMessage } from './lines/longMessage';
import type { WireMessage } from './wireEvent';
import { WireLine } from './wireLine';

export interface JsonRpcReaderOptions extends Pick<LineOptions, 'onPiece'> {
  readonly framing: Framing;
  /** The log has no more than this of one line. */
  readonly maxLineBytes: number;
  /** The client gets requests and answers of up to this length. */
  readonly maxMessageBytes: number;
  readonly now: () => number;
  /** Every line, whatever it is: what the log is read from. */
  readonly onMessage: (event: WireMessage) => void;
  readonly onSlice: () => void;
  /** Handling a line failed; reading goes on. */
  readonly onLineError: (error: unknown) => void;
  /** Counts what the client has still to handle: an agent that floods it with requests is read more slowly. */
  readonly flow: FlowControl;
  /** Whether another consumer of the lines is behind. */
  readonly isBehind?: () => boolean;
  /**
   * What of a notification the client has to act on, in its library's words; mostly nothing. All others stop here: vscode-jsonrpc's
   * queue is unbounded and its dispatch ten times slower than this reader.
   */
  readonly forClient: (notification: NotificationMessage) => Message | undefined;
  /** Sends the agent the answer to a request that is too long to be read. */
  readonly refuse: (answer: ResponseMessage) => void;
}

/**
 * Reads JSON-RPC messages for a vscode-jsonrpc connection. What is not a message is only
 * reported as an event: junk on standard output is the log's business and never disturbs the connection.
 */
export class JsonRpcReader extends AbstractMessageReader {
  /** The chunk whose log messages share a time, until anything else comes. */
  private chunk: ByteChunk | undefined;
  private time = 0;

  constructor(
    private readonly input: Readable,
    private readonly options: JsonRpcReaderOptions,
  ) {
    super();
  }

  /** Starts reading. To be called once. */
  listen(callback: DataCallback): Disposable {
    const { framing, maxLineBytes, maxMessageBytes, onPiece, onSlice, onLineError, flow, isBehind } = this.options;
    new LinePump(this.input, {
      framing,
      maxLineBytes,
      maxWholeBytes: maxMessageBytes,
      onLine: (line) => this.read(line, callback),
      ...(onPiece && { onPiece }),
      onSlice: () => {
        this.chunk = undefined;
        onSlice();
      },
      onEnd: () => this.fireClose(),
      onError: (error) => this.fireError(error),
      onLineError,
      isCongested: () => flow.isFull || isBehind?.() === true,
    });
    return { dispose: () => undefined };
  }

  private read(line: Line, callback: DataCallback): void {
    if (line.bytes !== undefined && line instanceof CutLine) return this.readLong(line, callback);
    // Some agents end each message with two line feeds.
    if (line.isBlank) return;
    const event = new WireLine(this.timeOf(line), 'a2c', line);
    this.options.onMessage(event);
    if (event.isLog) return;
    this.chunk = undefined;
    const { msg } = event;
    // JSON-RPC 2.0 section 6 has batches. ACP has none, but some of its drafts did.
    if (Array.isArray(msg)) for (const one of msg as unknown[]) this.dispatch(one, callback);
    else if (msg !== undefined) this.dispatch(msg, callback);
  }

  /** Reading the clock for each line of a flood takes as long as looking for its end. */
  private timeOf({ chunk }: Line): number {
    if (chunk === undefined || chunk !== this.chunk) {
      this.chunk = chunk;
      this.time = this.options.now();
    }
    return this.time;
  }

  private readLong(line: CutLine, callback: DataCallback): void {
    const { messages, refused, logged } = readLongMessage(line, this.options.maxMessageBytes);
    this.options.onMessage(WireLine.of(this.options.now(), 'a2c', logged.line, { ...logged, bytes: line.bytes }));
    for (const one of messages) this.dispatch(one, callback);
    for (const { id, error } of refused) this.options.refuse({ jsonrpc: '2.0', id, error });
  }

  private dispatch(msg: unknown, callback: DataCallback): void {
    const message = repaired(msg);
    const wanted = message && Message.isNotification(message) ? this.options.forClient(message) : message;
    if (wanted) this.hand(wanted, callback);
  }

  private hand(message: Message, callback: DataCallback): void {
    if (this.options.flow.admits(message)) callback(message);
  }
}

export interface AnyMessage extends Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The message as a library can take it, or `undefined` where it could only complain. */
export function repaired(msg: unknown): AnyMessage | undefined {
  if (typeof msg !== 'object' || msg === null || Array.isArray(msg)) return undefined;
  const message = msg as AnyMessage;
  if (typeof message.method === 'string') {
    const hasId = message.id !== undefined && message.id !== null;
    if (!hasId) return message.id === undefined ? message : { ...message, id: undefined };
    return typeof message.id === 'string' || typeof message.id === 'number' ? message : undefined;
  }
  if (typeof message.id !== 'string' && typeof message.id !== 'number') return undefined;
  if (isError(message.error)) return message;
  if (message.error !== undefined && message.error !== null) {
    // An error of another form still settles the request.
    return { ...message, error: { code: -32603, message: `Malformed error: ${boundedJson(message.error, 500)}` } };
  }
  // `result` may be missing instead of null: an empty answer is an answer.
  return message.result === undefined ? { ...message, result: null } : message;
}

function isError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'number' && typeof message === 'string';
}
