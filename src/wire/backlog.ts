/** More messages than this are not waiting to be handled: the next ones stay in the pipe. */
const long = 64;

/** Counts the messages that were read and not yet handled. vscode-jsonrpc queues without a bound, and handles one in a turn of the loop. */
export class Backlog {
  private count = 0;
  private closed = false;

  get isLong(): boolean {
    return this.count > long && !this.closed;
  }

  handed(): void {
    this.count++;
  }

  handled(): void {
    this.count--;
  }

  /** Nobody handles them any more: they are read for the log only. */
  close(): void {
    this.closed = true;
  }
}
