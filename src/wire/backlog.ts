import { Message } from 'vscode-jsonrpc/node';

/** More messages than this are not waiting to be handled: the next ones stay in the pipe. */
const long = 64;
/** Nor more answers than this for somebody to read them. What a pipe holds does not wait. */
const maxUnread = 256;

/**
 * The messages that were read and not yet handled, and the answers that nobody has taken. vscode-jsonrpc queues both without a bound, and
 * handles one message in a turn of the loop.
 */
export class Backlog {
  /** Requests and responses by their ids: 1 and "1" are two. */
  private readonly waiting = new Set<string>();
  private unread = 0;
  private closed = false;

  get isLong(): boolean {
    return !this.closed && (this.waiting.size > long || this.unread > maxUnread);
  }

  /** Answers whether a message is to be handed over: one with the id of another that still waits is not, since their answers could not be told apart. */
  handed(message: Message): boolean {
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

  /** An answer is on its way; to be called again when the operating system has it, or it cannot be sent. */
  answering(): () => void {
    this.unread++;
    return () => this.unread--;
  }

  /** Nobody handles them any more: they are read for the log only. */
  close(): void {
    this.closed = true;
  }
}

function keyOf(message: Message): string | undefined {
  if (Message.isRequest(message)) return `request ${typeof message.id} ${message.id}`;
  return Message.isResponse(message) ? `response ${typeof message.id} ${message.id}` : undefined;
}
