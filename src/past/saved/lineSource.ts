import { deepJson } from '../../text/jsonText';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { KeyedLine } from '../../agents/reading/saved/keyedLine';
import type { FileSource } from '../../wire/fileSource';
import { Line } from '../../text/bytes/line';
import { LineReader } from '../../wire/lines/lineReader';
import { SeenTexts } from './seenTexts';

/** The lines of a session, which may grow. */
export interface LineSource {
  /** The next lines; `undefined` at the current end. */
  read(): Promise<readonly Line[] | undefined>;
  /** Waits for more lines or the signal. `restarted`: the file was rewritten, and has to be opened again. */
  wait(signal: AbortSignal): Promise<'unchanged' | 'grown' | 'restarted'>;
  /** Bytes read so far. */
  readonly size: number;
  /** When lines without a time were written, in milliseconds since the epoch, if known. */
  readonly modifiedAt?: number | undefined;
  /** Lines that could not be read, and aren't passed on. */
  readonly unreadable?: number | undefined;
  /** Returns an unterminated last line. */
  close(): Promise<Line | undefined>;
}

/** The bytes of a file, decompressed if necessary. */
interface Bytes extends Pick<FileSource, 'read'> {
  wait(signal: AbortSignal): ReturnType<FileSource['wait']>;
  close(): unknown;
}

/** A file of JSON lines. */
export class ByteLines implements LineSource {
  private readonly lines: LineReader;
  private bytes = 0;

  constructor(
    private readonly source: Bytes,
    maxLineBytes: number,
  ) {
    this.lines = new LineReader(maxLineBytes);
  }

  get size(): number {
    return this.bytes;
  }

  async read(): Promise<readonly Line[] | undefined> {
    const bytes = await this.source.read();
    if (!bytes) return undefined;
    this.bytes += bytes.length;
    this.lines.push(bytes);
    const read: Line[] = [];
    for (let line = this.lines.next(); line; line = this.lines.next()) read.push(line);
    return read;
  }

  wait(signal: AbortSignal): Promise<'unchanged' | 'grown' | 'restarted'> {
    return this.source.wait(signal);
  }

  async close(): Promise<Line | undefined> {
    await this.source.close();
    return this.lines.end();
  }
}

/** Polling interval for documents and databases, in milliseconds. */
const pause = 1000;
/** Number of polls after which the caller may look for other changes. */
const maxPolls = 10;

/** Polls until something has changed, for some seconds. */
export async function pollUntil(
  isChanged: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<'unchanged' | 'grown'> {
  for (let polls = 0; polls < maxPolls && !signal.aborted; polls++) {
    const isOver = await setTimeout(pause, false, { signal }).catch(() => true); // aborted
    if (!isOver && (await isChanged().catch(() => false))) return 'grown';
  }
  return 'unchanged';
}

/** Passes on the lines that are new, or have changed. */
export class NewLines {
  private readonly seen = new SeenTexts();

  of(lines: readonly KeyedLine[]): readonly Line[] {
    return lines.flatMap(({ key, line, bytes }): Line[] => {
      const text = deepJson(bytes === undefined ? line : { type: line['type'] });
      return this.seen.isNew(`${bytes ?? ''}${text}`, key) ? [Line.of(text, bytes)] : [];
    });
  }
}

/** A whole session at one point in time. */
export interface Snapshot {
  readonly lines: readonly KeyedLine[];
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since the epoch, if known. */
  readonly modifiedAt?: number;
}

/** A session that is read completely each time it changes. Returns the new and changed lines. */
export class SnapshotLines implements LineSource {
  private readonly lines = new NewLines();
  private version: string | undefined;
  private bytes = 0;
  modifiedAt: number | undefined;

  /**
   * @param look returns a version that changes with the session
   * @param take reads the session; retried if it fails while the session is being written
   */
  constructor(
    private readonly look: () => Promise<string>,
    private readonly take: () => Promise<Snapshot>,
  ) {}

  get size(): number {
    return this.bytes;
  }

  async read(): Promise<readonly Line[] | undefined> {
    const isFirst = this.version === undefined;
    const version = await this.look().catch((error: unknown) => {
      if (isFirst) throw error;
      return this.version; // A locked database, or a file that is being replaced.
    });
    if (version === this.version) return undefined;
    const snapshot = await this.take().catch((error: unknown) => {
      if (isFirst) throw error;
      return undefined; // Half-written; the next poll reads it.
    });
    if (!snapshot) return undefined;
    this.version = version;
    this.bytes = snapshot.size;
    this.modifiedAt = snapshot.modifiedAt;
    return this.lines.of(snapshot.lines);
  }

  wait(signal: AbortSignal): Promise<'unchanged' | 'grown'> {
    return pollUntil(async () => (await this.look()) !== this.version, signal);
  }

  close(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** A version string that changes with the file. */
export async function fileVersion(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}
