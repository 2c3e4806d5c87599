import type { DataCallback, Disposable, MessageReader } from 'vscode-jsonrpc/node';
import { Message } from 'vscode-jsonrpc/node';
import type { FlowControl } from '../../wire/flowControl';

/**
 * Works around the queue of vscode-jsonrpc, which doesn't distinguish number IDs from string IDs and keeps only the later of two messages with the same
 * one. A request is held here until the other with its ID is handled. Our requests have number IDs, so a response with a string ID isn't valid, and
 * would replace the one that is.
 */
export class QueueReader implements MessageReader {
  readonly onError: MessageReader['onError'];
  readonly onClose: MessageReader['onClose'];
  readonly onPartialMessage: MessageReader['onPartialMessage'];
  /** The IDs of the requests in the queue, as strings. */
  private readonly queued = new Set<string>();
  /** By the same strings. At most one for each: flow control blocks messages with the ID and type of a pending one. */
  private readonly held = new Map<string, Message>();
  private callback: DataCallback | undefined;

  constructor(
    private readonly reader: MessageReader,
    private readonly flow: FlowControl,
  ) {
    ({ onError: this.onError, onClose: this.onClose, onPartialMessage: this.onPartialMessage } = reader);
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    return this.reader.listen((message) => this.take(message));
  }

  /** Called when the queue has delivered a message. */
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
