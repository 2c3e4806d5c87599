import type { Readable, Writable } from 'node:stream';

/** Changes what crosses. What it holds back it has to give at the end. */
export interface ByteFilter {
  /** What goes on now; `undefined` where nothing does yet. */
  push(chunk: Buffer): Buffer | undefined;
  end(): Buffer | undefined;
}

export interface RelayOptions {
  /** Takes every chunk as it came, after it was handed on: who looks never delays. */
  readonly onRead?: (chunk: Buffer) => void;
  /** Takes every chunk as it went on. */
  readonly onWritten?: (chunk: Buffer) => void;
  /** Without one the chunks go on as they came. */
  readonly filter?: ByteFilter | undefined;
  /** Whether the sink stays open when the source has ended. */
  readonly keepOpen?: boolean;
}

/**
 * Carries bytes from one stream to another. A slow reader slows the writer, the end of one is the end of the other, and where nobody reads
 * any more the source is closed, so that its writer learns it as it would without us.
 * @returns settles when it is over: `ended` when the last byte was handed on, `refused` when nobody takes them any more
 */
export function relay(source: Readable, sink: Writable, options: RelayOptions): Promise<'ended' | 'refused'> {
  const { onRead, onWritten, filter, keepOpen = false } = options;
  return new Promise((resolve) => {
    let ended = false;
    const pass = (chunk: Buffer | undefined): void => {
      if (!chunk || chunk.length === 0 || sink.destroyed) return;
      if (!sink.write(chunk)) source.pause();
      onWritten?.(chunk);
    };
    const end = (): void => {
      if (ended) return;
      ended = true;
      pass(filter?.end());
      if (keepOpen && !sink.destroyed) sink.write('', () => resolve('ended'));
      else sink.end();
    };
    const giveUp = (): void => {
      resolve('refused');
      source.destroy();
    };
    source.on('data', (chunk: Buffer) => {
      pass(filter ? filter.push(chunk) : chunk);
      onRead?.(chunk);
    });
    sink.on('drain', () => source.resume());
    source.once('end', end);
    source.once('close', end); // a destroyed stream closes without an end
    source.on('error', end);
    sink.once('finish', () => resolve('ended'));
    sink.once('close', giveUp);
    sink.on('error', giveUp); // EPIPE: nobody reads any more
  });
}
