import type { DataCallback, Disposable, MessageReader } from 'vscode-jsonrpc/node';
import { Message } from 'vscode-jsonrpc/node';
import type { FlowControl } from '../../wire/flowControl';

/**
 * Hands vscode-jsonrpc what its queue can hold. The queue knows no numbers from texts, and of two messages with one id it keeps the later:
 * a request waits here until the other with its id is handled. Our requests have numbers, so a response to a text is no answer, and would
 * take the place of the one that is.
 */
export class QueueReader implements MessageReader {
  /** The ids of the requests in the queue, as texts. */
  private readonly queued = new Set<string>();
  /** By the same texts. At most one for each: flow control admits no message with the id, of the same type, of one that waits. */
  private readonly held = new Map<string, Message>();
  private callback: DataCallback | undefined;

  constructor(
    private readonly reader: MessageReader,
    private readonly flow: FlowControl,
  ) {}

  get onError(): MessageReader['onError'] {
    return this.reader.onError;
  }

  get onClose(): MessageReader['onClose'] {
    return this.reader.onClose;
  }

  get onPartialMessage(): MessageReader['onPartialMessage'] {
    return this.reader.onPartialMessage;
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    return this.reader.listen((message) => this.take(message));
  }

  /** The queue has given a message out. */
  handled(message: Message): void {
    this.flow.handled(message);
    if (!Message.isRequest(message)) return;
    const id = String(message.id);
    const next = this.held.get(id);
    this.held.delete(id);
    if (next) this.callback?.(next);
    else this.queued.delete(id);
  }

  dispose(): void {
    this.reader.dispose();
  }

  private take(message: Message): void {
    if (Message.isResponse(message) && typeof message.id !== 'number') return this.flow.handled(message);
    if (Message.isRequest(message)) {
      const id = String(message.id);
      if (this.queued.has(id)) return void this.held.set(id, message);
      this.queued.add(id);
    }
    this.callback?.(message);
  }
}
