import type { Readable, Writable } from 'node:stream';

/** Changes relayed bytes. It has to return everything that it holds back at the end. */
export interface ByteFilter {
  /** The bytes to pass on now; `undefined` if there are none yet. */
  push(chunk: Buffer): Buffer | undefined;
  end(): Buffer | undefined;
}

export interface RelayOptions {
  /** Called with every chunk as it was read, after it was passed on, so that observers don't delay it. */
  readonly onRead?: (chunk: Buffer) => void;
  /** Called with every chunk as it was passed on. */
  readonly onWritten?: (chunk: Buffer) => void;
  readonly filter?: ByteFilter | undefined;
  /** Whether the sink stays open when the source has ended. */
  readonly keepOpen?: boolean;
}

/**
 * Copies bytes from one stream to another. A slow reader slows the writer, and the end of the source ends the sink. If the sink is no longer
 * read, the source is closed, so that its writer notices it as without a relay.
 * @returns `ended` once the last byte is passed on, `refused` if the sink is no longer read
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
