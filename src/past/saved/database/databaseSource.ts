import type { Line } from '../../../text/bytes/line';
import type { Database } from '../../../agents/database';
import type { SavedDatabase, SessionRows } from '../../../agents/savedDatabase';
import type { LineSource } from '../lineSource';
import { fileVersion, NewLines, pollUntil } from '../lineSource';
import type { Databases } from '../sqlite';

/** Windows updates the time of an open file late, so the database is also queried after this many polls. */
const pollsOfFiles = 10;

/** A session in an agent's database. When it grows, only new and changed rows are read. */
export class DatabaseSource implements LineSource {
  private readonly lines = new NewLines();
  private readonly rows: SessionRows;
  private hasBegun = false;
  private version: string | undefined;
  private polls = 0;

  constructor(
    private readonly databases: Databases,
    private readonly form: Pick<SavedDatabase, 'tables' | 'rows'>,
    private readonly path: string,
    id: string,
  ) {
    this.rows = form.rows(id);
  }

  get size(): number {
    return this.rows.bytes;
  }

  async read(): Promise<readonly Line[] | undefined> {
    if (this.rows.isAtEnd) return undefined;
    const read = this.query((database) => this.rows.read(database));
    // If the database is locked later, the next poll reads it.
    const lines = await (this.hasBegun ? read.catch(() => undefined) : read);
    this.hasBegun ||= this.rows.isAtEnd;
    return lines && this.lines.of(lines);
  }

  wait(signal: AbortSignal): Promise<'unchanged' | 'grown'> {
    return pollUntil(() => this.isChanged(), signal);
  }

  close(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  private async isChanged(): Promise<boolean> {
    const files = await Promise.all([this.path, `${this.path}-wal`].map((file) => fileVersion(file).catch(() => '')));
    const version = files.join(' ');
    if (version === this.version && ++this.polls % pollsOfFiles !== 0) return false;
    const isChanged = await this.query((database) => this.rows.isChanged(database));
    this.version = version;
    return isChanged;
  }

  private query<T>(read: (database: Database) => Promise<T>): Promise<T> {
    return this.databases.query(this.path, this.form.tables, read);
  }
}
