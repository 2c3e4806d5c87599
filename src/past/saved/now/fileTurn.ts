import { filesFormOf } from '../../../agents/agents';
import type { Ongoing } from '../../../diagnosis/sessionSummary';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { jsonValueOf } from '../../../wire/jsonValue';
import { isCompressed } from '../compressed';
import { newestLines } from '../list/readDetails';
import type { SavedFs } from '../list/savedFs';
import type { SavedSession, TurnSource } from '../savedSession';
import { TurnReader } from './turnReader';

/** More is read again from the end of the file, in bytes. */
const maxGrowth = 1024 * 1024;
const lineFeed = 10;

/** The turn of a session in a file. First the end of the file is read, and then what is added to it. */
export class FileTurn implements TurnSource {
  private reader: TurnReader | undefined;
  /** Up to here it was read, in bytes. */
  private end = 0;

  constructor(
    private readonly fs: SavedFs,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  async doing(session: SavedSession): Promise<Ongoing | undefined> {
    const { id, modifiedAt, lastAt = modifiedAt } = session;
    try {
      if (this.reader && this.hasGrown(session)) this.reader.read(await this.added(session));
      else this.reader = await this.begun(session);
    } catch {
      // It may just have been deleted.
      this.reader = undefined;
    }
    return this.reader?.doing(id, lastAt);
  }

  private hasGrown({ agent, path, size }: SavedSession): boolean {
    const isLines = filesFormOf(agent).files !== undefined && !path.endsWith('.json') && !isCompressed(path);
    return isLines && size >= this.end && size - this.end <= maxGrowth;
  }

  private async begun(session: SavedSession): Promise<TurnReader> {
    const reader = new TurnReader(session.agent, this.redactor);
    const lines = await newestLines(session, this.fs);
    reader.read(valuesOf(lines));
    const last = lines.at(-1) ?? '';
    this.end = session.size - ('msg' in jsonValueOf(last) ? 0 : Buffer.byteLength(last));
    return reader;
  }

  /** The lines that are complete by now. */
  private async added({ path, size }: SavedSession): Promise<readonly unknown[]> {
    const bytes = await this.fs.read(path, this.end, size - this.end);
    const whole = bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
    this.end += whole.length;
    return valuesOf(whole.toString('utf8').split('\n'));
  }
}

function valuesOf(lines: readonly string[]): readonly unknown[] {
  return lines.flatMap((line) => (line.trim() === '' ? [] : (jsonValueOf(line).msg ?? [])));
}
