import type { Readable, Writable } from 'node:stream';

/** Changes what crosses. What it holds back it has to give at the end. */
export interface ByteFilter {
  /** The bytes to pass on now; `undefined` if there are none yet. */
  push(chunk: Buffer): Buffer | undefined;
  end(): Buffer | undefined;
}

export interface RelayOptions {
  /** Takes every original chunk, after it was passed on: observers never delay it. */
  readonly onRead?: (chunk: Buffer) => void;
  /** Takes every chunk as it went on. */
  readonly onWritten?: (chunk: Buffer) => void;
  /** Without one the chunks go on as they came. */
  readonly filter?: ByteFilter | undefined;
  /** Whether the sink stays open when the source has ended. */
  readonly keepOpen?: boolean;
}

/**
 * Carries bytes from one stream to another. A slow reader slows the writer, and the end of one is the end of the other. If the sink is no
 * longer read, the source is closed, so that its writer learns it as it would without us.
 * @returns settles when it is over: `ended` when the last byte was passed on, `refused` if the sink is no longer read
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
    sink.on('error', giveUp); // EPIPE: the reader is gone
  });
}
