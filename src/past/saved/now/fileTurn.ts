import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { jsonValueOf } from '../../../wire/jsonValue';
import { newestLines } from '../list/readDetails';
import type { SavedFs } from '../list/savedFs';
import type { SavedSession, TurnSource } from '../savedSession';
import type { Ongoing } from '../../../diagnosis/sessionSummary';
import { TurnReader } from './turnReader';

/** The turn of a session in a file, of which only the end is read. */
export class FileTurn implements TurnSource {
  constructor(
    private readonly fs: SavedFs,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  async doing(session: SavedSession): Promise<Ongoing | undefined> {
    const { agent, id, modifiedAt, lastAt = modifiedAt } = session;
    const reader = new TurnReader(agent, this.redactor);
    const lines = await newestLines(session, this.fs).catch((): readonly string[] => []);
    reader.read(lines.flatMap((line) => (line.trim() === '' ? [] : (jsonValueOf(line).msg ?? []))));
    return reader.doing(id, lastAt);
  }
}
