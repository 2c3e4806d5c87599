import type { Writable } from 'node:stream';

/** Writes lines to a stream whose reader may be slow or close it. */
export class Output {
  private waiting: string[] = [];
  private isGone = false;

  /** @param onError called if the stream fails, but not if the reader closes it */
  constructor(
    private readonly stream: Writable,
    onError: (error: Error) => void,
  ) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.isGone = true;
      if (error.code !== 'EPIPE' && error.code !== 'EOF') onError(error);
    });
  }

  /** Whether nothing can be written any more. */
  get hasGone(): boolean {
    return this.isGone;
  }

  readonly print = (line: string): void => {
    this.waiting.push(line);
  };

  /** Writes the lines. Resolves when the reader has them, or has closed the stream. */
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
