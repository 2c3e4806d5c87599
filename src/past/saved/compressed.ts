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

/** False before Node.js 22.15, so in VS Code before 1.101. */
export function canDecompress(): boolean {
  return 'createZstdDecompress' in zlib;
}

/**
 * The decompressed contents of a file, in chunks.
 * @throws if this Node version can't decompress it, or reading fails
 */
export function decompressed(path: string): AsyncIterable<Buffer> & { destroy(): void } {
  const stream = decompressor();
  return pipeline(createReadStream(path), stream, () => undefined) as AsyncIterable<Buffer> & Transform;
}

/**
 * A file of JSON lines compressed with Zstandard, as Codex does with old sessions. It no longer grows.
 * @throws if it can't be opened, or this Node can't decompress it
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
 * Decompresses the first bytes of a file; empty if this Node version can't, or they aren't valid.
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

/** @throws if this Node version doesn't support it (before 22.15, so VS Code before 1.101) */
function decompressor(): Transform {
  const { createZstdDecompress: create } = zlib as { readonly createZstdDecompress?: () => Transform };
  if (!create) {
    throw new WordsError(t('it is compressed with Zstandard, which requires Node.js 22.15 or VS Code 1.101'));
  }
  return create();
}
