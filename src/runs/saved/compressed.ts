import { t, WordsError } from '../../log/translator';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Line } from '../../log/bytes/line';
import { LineReader } from '../../wire/lines/lineReader';
import type { LineSource } from './lineSource';

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
  const file = createReadStream(path);
  const stream = decompressor();
  file.on('error', (error) => stream.destroy(error));
  stream.on('close', () => file.destroy());
  return file.pipe(stream) as AsyncIterable<Buffer> & Transform;
}

/** A file of JSON lines compressed with Zstandard, as Codex does with old sessions. It no longer grows. */
export class CompressedLines implements LineSource {
  private readonly lines: LineReader;
  private readonly chunks: AsyncIterator<Buffer>;
  private bytes = 0;

  private constructor(
    private readonly stream: ReturnType<typeof decompressed>,
    maxLineBytes: number,
  ) {
    this.lines = new LineReader(maxLineBytes);
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** @throws if it can't be opened, or this Node can't decompress it */
  static async open(path: string, maxLineBytes: number): Promise<CompressedLines> {
    const stream = decompressed(path);
    await (await open(path, 'r')).close();
    return new CompressedLines(stream, maxLineBytes);
  }

  /** Decompressed bytes read so far. */
  get size(): number {
    return this.bytes;
  }

  async read(): Promise<readonly Line[] | undefined> {
    const next = await this.chunks.next();
    if (next.done === true) return undefined;
    this.bytes += next.value.length;
    this.lines.push(next.value);
    const read: Line[] = [];
    for (let line = this.lines.next(); line; line = this.lines.next()) read.push(line);
    return read;
  }

  wait(signal: AbortSignal): Promise<'unchanged'> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve('unchanged');
      else signal.addEventListener('abort', () => resolve('unchanged'), { once: true });
    });
  }

  close(): Promise<Line | undefined> {
    this.stream.destroy();
    return Promise.resolve(this.lines.end());
  }
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
