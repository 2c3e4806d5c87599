import type { Writable } from 'node:stream';

/** Lines to a reader who may be slow, or go away. */
export class Output {
  private waiting: string[] = [];
  private isGone = false;

  /** @param onError the error after which nothing can be written; not called where the reader has gone away */
  constructor(
    private readonly stream: Writable,
    onError: (error: Error) => void,
  ) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.isGone = true;
      if (error.code !== 'EPIPE' && error.code !== 'EOF') onError(error);
    });
  }

  /** Whether the output is no longer read. */
  get hasGone(): boolean {
    return this.isGone;
  }

  readonly print = (line: string): void => {
    this.waiting.push(line);
  };

  /** Settles when the reader can take more, or has gone. */
  async flush(): Promise<void> {
    if (this.waiting.length === 0 || this.isGone) return;
    const text = `${this.waiting.join('\n')}\n`;
    this.waiting = [];
    await new Promise<void>((resolve) => {
      this.stream.write(text, () => resolve());
    });
  }
}

/** Prints an error to stderr, and sets the exit code. */
export function fail(message: string): void {
  process.stderr.write(`agent-logs: ${message}\n`);
  process.exitCode = 1;
}
