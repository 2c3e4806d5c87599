import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Line } from '../../../text/bytes/line';
import { isObject, numberOf, objectOf, textOf } from '../../../text/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedFs } from '../list/savedFs';
import type { LineSource } from '../lineSource';
import { ByteLines } from '../lineSource';
import type { SavedMember } from '../savedMembers';
import { keptHeaderAt } from './keptFile';

/** Maximum line length, in bytes: agents' lines of 16 MB may be longer once redacted. */
const maxLineBytes = 32 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** How much of a line is kept that was too long to be read, in characters. */
const maxCut = 10_000;

/** A line of a copy, redacted. */
export function keptLine(text: string, bytes: number | undefined): string {
  return bytes === undefined ? text : JSON.stringify({ keptCut: { bytes, text: text.slice(0, maxCut) } });
}

/** The session's own lines and those of its subagents in a copy. @throws if it can't be read */
export async function keptMembers(path: string, fs: Pick<SavedFs, 'read'>): Promise<readonly SavedMember[]> {
  const found = await keptHeaderAt(path, fs);
  let start = found?.start ?? 0;
  return (found?.header.parts ?? []).map(({ end, modifiedAt }, index) => {
    const from = start;
    start = end;
    return { key: `${path} ${index}`, open: () => KeptLines.open(path, from, end, modifiedAt) };
  });
}

/** A part of a copy, which never changes. */
class KeptLines implements LineSource {
  private constructor(
    private readonly lines: ByteLines,
    readonly modifiedAt: number | undefined,
    private readonly lost: () => number,
  ) {}

  static async open(path: string, start: number, end: number, modifiedAt?: number): Promise<KeptLines> {
    const file = await open(path, 'r');
    let at = start;
    let isShort = false;
    const bytes = {
      async read() {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunkBytes, Math.max(0, end - at))), {
          position: at,
        });
        at += bytesRead;
        isShort ||= bytesRead === 0 && at < end;
        return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
      },
      async wait(signal: AbortSignal) {
        if (!signal.aborted) await once(signal, 'abort');
        return 'unchanged' as const;
      },
      close: () => file.close(),
    };
    return new KeptLines(new ByteLines(bytes, maxLineBytes), modifiedAt, () => (isShort ? 1 : 0));
  }

  get size(): number {
    return this.lines.size;
  }

  /** At least one if the copy is cut. */
  get unreadable(): number {
    return this.lost();
  }

  async read(): Promise<readonly Line[] | undefined> {
    return (await this.lines.read())?.map(uncut);
  }

  wait(signal: AbortSignal): ReturnType<LineSource['wait']> {
    return this.lines.wait(signal);
  }

  close(): Promise<Line | undefined> {
    return this.lines.close();
  }
}

/** A line that was too long to be read, as it was. */
function uncut(line: Line): Line {
  if (line.bytes !== undefined || !line.searchText.startsWith('{"keptCut":')) return line;
  const { msg } = jsonValueOf(line.text);
  const { bytes, text } = objectOf(isObject(msg) ? msg['keptCut'] : undefined);
  return Line.of(textOf(text) ?? '', numberOf(bytes));
}
