import { open } from 'node:fs/promises';
import { decompressed, isCompressed } from '../past/saved/compressed';

/** Maximum number of matching lines to report per file. */
export const maxMatchesPerFile = 100;

/** Maximum length of all paths in one scan: Windows limits command lines to 32,767 characters. */
export const maxArguments = process.platform === 'win32' ? 24_000 : 120_000;

/** A match of one of the needles. */
export interface TextMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Of the match, in bytes from the start of the file's decompressed contents. */
  readonly offset: number;
}

export interface ScanOptions {
  readonly signal: AbortSignal;
  /** Called in order within a file, once or more per line. */
  readonly onMatch: (match: TextMatch) => void;
}

/**
 * Finds the lines that contain one of the needles, ignoring case.
 * @throws if the scanning program can't be started
 */
export type TextScan = (paths: readonly string[], needles: readonly string[], options: ScanOptions) => Promise<void>;

const chunkBytes = 1024 * 1024;
const newline = '\n';

/** Paths that fit into one command line: those of a session with many subagents may need several. */
export function* commandLines(paths: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let size = 0;
  for (const path of paths) {
    const length = path.length + 3; // with quotes and a space
    if (part.length > 0 && size + length > maxArguments) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(path);
    size += length;
  }
  if (part.length > 0) yield part;
}

/** Scans in this process: compressed files, and all if ripgrep is missing. Ignores the case of ASCII letters only. */
export const nodeScan: TextScan = async (paths, needles, { signal, onMatch }) => {
  const wanted = needles.map((needle) => lowerBytes(Buffer.from(needle)));
  const overlap = Math.max(...wanted.map((needle) => needle.length)) - 1;
  // One for all, because most files are small.
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (const path of paths) {
    if (signal.aborted) return;
    const contents = () => (isCompressed(path) ? decompressed(path) : chunksOf(path, buffer));
    await scanFile(path, contents, wanted, overlap, { signal, onMatch }).catch(() => undefined); // Skipped, as by ripgrep.
  }
};

async function scanFile(
  path: string,
  contents: () => AsyncIterable<Buffer>,
  needles: readonly string[],
  overlap: number,
  { signal, onMatch }: ScanOptions,
): Promise<void> {
  let tail = '';
  let offset = 0;
  let line = 1;
  let reported = 0;
  let lastLine = 0;
  for await (const bytes of contents()) {
    const text = tail + lowerBytes(bytes);
    const start = offset - tail.length;
    const lines = new LineCounter(text);
    for (const at of matchesIn(text, needles)) {
      line += lines.until(at);
      if (line === lastLine) continue;
      lastLine = line;
      onMatch({ path, line, offset: start + at });
      if (++reported >= maxMatchesPerFile) return;
    }
    if (signal.aborted) return;
    // The overlap is searched again, and its lines are counted then.
    const kept = Math.max(lines.counted, text.length - overlap);
    line += lines.until(kept);
    tail = text.slice(kept);
    offset += bytes.length;
  }
}

/** A chunk is overwritten by the next one. */
async function* chunksOf(path: string, buffer: Buffer): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** One character per byte, so that positions are offsets. Non-ASCII bytes may fold together; hits are checked later. */
function lowerBytes(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}

function* matchesIn(text: string, needles: readonly string[]): Generator<number> {
  const next = needles.map((needle) => text.indexOf(needle));
  for (;;) {
    const found = next.filter((at) => at >= 0);
    if (found.length === 0) return;
    const at = Math.min(...found);
    yield at;
    for (const [index, needle] of needles.entries()) if (next[index] === at) next[index] = text.indexOf(needle, at + 1);
  }
}

/** Counts line breaks in passing over a text. */
class LineCounter {
  counted = 0;
  private next: number;

  constructor(private readonly text: string) {
    this.next = text.indexOf(newline);
  }

  until(to: number): number {
    let count = 0;
    for (; this.next >= 0 && this.next < to; count++) this.next = this.text.indexOf(newline, this.next + 1);
    this.counted = to;
    return count;
  }
}
