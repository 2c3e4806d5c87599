import { t, WordsError } from '../../text/translator';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { pipeline, Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import type { LineSource } from './lineSource';
import { ByteLines } from './lineSource';

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

/**
 * The decompressed contents of a file, in chunks.
 * @throws if the terminal's Node.js is too old, or reading fails
 */
export function decompressed(path: string): AsyncIterable<Buffer> & { destroy(): void } {
  const stream = decompressor();
  return pipeline(createReadStream(path), stream, () => undefined) as AsyncIterable<Buffer> & Transform;
}

/**
 * A file of JSON lines compressed with Zstandard, as Codex does with old sessions. It no longer grows.
 * @throws if it can't be opened, or the terminal's Node.js is too old
 */
export async function compressedLines(path: string, maxLineBytes: number): Promise<LineSource> {
  await access(path, constants.R_OK);
  const stream = decompressed(path);
  const chunks = stream[Symbol.asyncIterator]();
  const source = {
    async read() {
      const next = await chunks.next();
      return next.done === true ? undefined : next.value;
    },
    async wait(signal: AbortSignal) {
      if (!signal.aborted) await once(signal, 'abort');
      return 'unchanged' as const;
    },
    close: () => stream.destroy(),
  };
  return new ByteLines(source, maxLineBytes);
}

/**
 * Decompresses the first bytes of a file; empty if they aren't valid, or the terminal's Node.js is too old.
 * @param max maximum number of bytes to decompress
 */
export async function decompressedHead(bytes: Buffer, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of Readable.from([bytes]).pipe(decompressor()) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= max) break;
    }
  } catch {
    // Expected, because the end is missing.
  }
  return Buffer.concat(chunks);
}

/** @throws in a terminal with a Node.js before 22.15; VS Code's is newer */
function decompressor(): Transform {
  const { createZstdDecompress: create } = zlib as { readonly createZstdDecompress?: () => Transform };
  if (!create) {
    throw new WordsError(t('reading it needs Node.js 22.15 or later, this is {0}', process.version));
  }
  return create();
}
