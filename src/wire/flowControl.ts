import { Message } from 'vscode-jsonrpc/node';

/** While more messages than this wait to be handled, the next ones stay in the pipe. */
const maxWaiting = 64;
/** Likewise for answers that the agent hasn't read. What fits in a pipe doesn't wait. */
const maxUnread = 256;

/**
 * Says when to stop reading: while too many messages are unhandled, or too many answers unread. vscode-jsonrpc queues both without a
 * limit, and handles one message in a turn of the event loop.
 */
export class FlowControl {
  /** Requests and responses by their ids: 1 and "1" are different. */
  private readonly waiting = new Set<string>();
  private unread = 0;
  private closed = false;

  get isFull(): boolean {
    return !this.closed && (this.waiting.size > maxWaiting || this.unread > maxUnread);
  }

  /** Returns whether to hand a message over. A second one with the id of one that waits is dropped: their answers would be indistinguishable. */
  admits(message: Message): boolean {
    const key = keyOf(message);
    if (key === undefined) return true;
    if (this.waiting.has(key)) return false;
    this.waiting.add(key);
    return true;
  }

  handled(message: Message): void {
    const key = keyOf(message);
    if (key !== undefined) this.waiting.delete(key);
  }

  /** An answer is being sent. Call the result once the operating system has it, or sending failed. */
  answering(): () => void {
    this.unread++;
    return () => this.unread--;
  }

  /** Messages are no longer handled, only logged. */
  close(): void {
    this.closed = true;
  }
}

function keyOf(message: Message): string | undefined {
  if (Message.isRequest(message)) return `request ${typeof message.id} ${message.id}`;
  return Message.isResponse(message) ? `response ${typeof message.id} ${message.id}` : undefined;
}
