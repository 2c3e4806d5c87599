import type { SavedDatabase, SessionRows } from '../../../agents/savedDatabase';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { TurnReader } from '../now/turnReader';
import type { Ongoing } from '../../../diagnosis/sessionSummary';
import type { SavedSession, TurnSource } from '../savedSession';
import type { Databases } from '../sqlite';

/** Longer sessions aren't read, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** The turn of a session in a database. Only new and changed rows are read again. */
export class DatabaseTurn implements TurnSource {
  private readonly rows: SessionRows;
  private readonly reader: TurnReader;

  constructor(
    session: SavedSession,
    private readonly form: SavedDatabase,
    private readonly databases: Databases | undefined,
    redactor: LineRedactor | undefined,
  ) {
    this.rows = form.rows(session.id);
    this.reader = new TurnReader(session.agent, redactor);
  }

  async doing({ id, path, modifiedAt, lastAt = modifiedAt }: SavedSession): Promise<Ongoing | undefined> {
    const { rows, form } = this;
    const read = this.databases?.query(path, form.tables, async (database) => {
      if (rows.bytes > 0) await rows.isChanged(database);
      while (!rows.isAtEnd && rows.bytes < maxBytes) {
        const lines = await rows.read(database);
        if (lines) this.reader.read(lines.map(({ line }) => line));
      }
    });
    // What is locked is read again with its next change.
    await read?.catch(() => undefined);
    return this.reader.doing(id, lastAt);
  }
}
