import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, NotificationMessage } from 'vscode-jsonrpc/node';
import { AbstractMessageReader, Message } from 'vscode-jsonrpc/node';
import type { Line } from './lineReader';
import { LinePump } from './linePump';
import type { WireMessage } from './wireEvent';

export interface NdjsonMessageReaderOptions {
  readonly maxLineBytes: number;
  readonly now: () => number;
  /** Every line, whatever it is: what the log is read from. */
  readonly onMessage: (event: WireMessage) => void;
  readonly onSlice: () => void;
  /**
   * What of a notification the client has to act on, in vscode-jsonrpc's words; mostly nothing. All others stop here: that library's
   * queue is unbounded and its dispatch ten times slower than this reader.
   */
  readonly forClient: (notification: NotificationMessage) => NotificationMessage | undefined;
}

/**
 * Reads JSON-RPC messages, one to a line (ACP "Transports", stdio), for a vscode-jsonrpc connection. What is not a message is only
 * reported as an event: junk on standard output is the log's business and never disturbs the connection.
 */
export class NdjsonMessageReader extends AbstractMessageReader {
  constructor(
    private readonly input: Readable,
    private readonly options: NdjsonMessageReaderOptions,
  ) {
    super();
  }

  /** Starts reading. To be called once. */
  listen(callback: DataCallback): Disposable {
    new LinePump(this.input, {
      maxLineBytes: this.options.maxLineBytes,
      onLine: (line) => this.read(line, callback),
      onSlice: this.options.onSlice,
      onEnd: () => this.fireClose(),
      onError: (error) => this.fireError(error),
    });
    return { dispose: () => undefined };
  }

  private read({ text, bytes }: Line, callback: DataCallback): void {
    const t = this.options.now();
    if (bytes !== undefined) return this.options.onMessage({ t, dir: 'a2c', line: text, bytes });
    let msg: unknown;
    try {
      msg = JSON.parse(text);
    } catch {
      // Empty lines carry nothing: some agents end each message with two line feeds.
      if (text.trim() !== '') this.options.onMessage({ t, dir: 'a2c', line: text });
      return;
    }
    this.options.onMessage({ t, dir: 'a2c', line: text, msg });
    // JSON-RPC 2.0 section 6 has batches. ACP has none, but some of its drafts did.
    for (const one of Array.isArray(msg) ? (msg as unknown[]) : [msg]) this.dispatch(one, callback);
  }

  private dispatch(msg: unknown, callback: DataCallback): void {
    const message = repaired(msg);
    const wanted = message && Message.isNotification(message) ? this.options.forClient(message) : message;
    if (wanted) callback(wanted);
  }
}

interface AnyMessage extends Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The message as vscode-jsonrpc can take it, or `undefined` where it could only complain. */
function repaired(msg: unknown): AnyMessage | undefined {
  if (typeof msg !== 'object' || msg === null || Array.isArray(msg)) return undefined;
  const message = msg as AnyMessage;
  if (typeof message.method === 'string') {
    const hasId = message.id !== undefined && message.id !== null;
    if (!hasId) return { ...message, id: undefined };
    return typeof message.id === 'string' || typeof message.id === 'number' ? message : undefined;
  }
  if (typeof message.id !== 'string' && typeof message.id !== 'number') return undefined;
  if (isError(message.error)) return message;
  if (message.error !== undefined && message.error !== null) {
    // An error in a form of its own still settles the request.
    return { ...message, error: { code: -32603, message: `Malformed error: ${JSON.stringify(message.error)}` } };
  }
  // `result` may be missing where it is null: an empty answer is an answer.
  return message.result === undefined ? { ...message, result: null } : message;
}

function isError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'number' && typeof message === 'string';
}
