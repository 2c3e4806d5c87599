import { Message } from 'vscode-jsonrpc/node';

/** While more messages than this are unhandled, reading stops. */
const maxWaiting = 64;
/** Likewise for responses that the agent hasn't read. Those that fit into the pipe don't count. */
const maxUnread = 256;

/**
 * Stops reading while too many messages are unhandled or too many responses unread. vscode-jsonrpc queues both without a limit, and handles
 * one message per turn of the event loop.
 */
export class FlowControl {
  /** Unhandled requests and responses by ID; 1 and "1" are different. */
  private readonly waiting = new Set<string>();
  private unread = 0;
  private closed = false;

  get isFull(): boolean {
    return !this.closed && (this.waiting.size > maxWaiting || this.unread > maxUnread);
  }

  /** Whether to pass a message on. One with the ID of an unhandled message is dropped: their responses would be indistinguishable. */
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

  /** A response is being sent. Call the returned function once it has been written or has failed. */
  answering(): () => void {
    this.unread++;
    return () => this.unread--;
  }

  /** From now on, messages are only logged. */
  close(): void {
    this.closed = true;
  }
}

function keyOf(message: Message): string | undefined {
  if (Message.isRequest(message)) return `request ${typeof message.id} ${message.id}`;
  return Message.isResponse(message) ? `response ${typeof message.id} ${message.id}` : undefined;
}
