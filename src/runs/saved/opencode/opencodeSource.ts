import { t, WordsError } from '../../../log/translator';
import type { Line } from '../../../log/bytes/line';
import type { JsonObject } from '../../../log/json';
import { numberOf, objectOf, textOf } from '../../../log/json';
import { opencodeMessage, opencodeSession } from '../../../agents/opencode/document';
import type { LineSource } from '../lineSource';
import { fileVersion, NewLines, pollUntil } from '../lineSource';
import type { Database, Databases } from '../sqlite';
import { allRows } from '../sqlite';
import { dataColumns, opencodeInfo, parsed, queryOpencode } from './opencodeDatabase';

/** Number of messages to read at once. */
const messagesAtOnce = 20;
/** Maximum number of changed messages to read. */
const maxChanged = 50_000;
/** Maximum number of parts of one message, and length of all their JSON in bytes. */
const maxParts = 20_000;
const maxPartBytes = 64 * 1024 * 1024;
/** Windows updates the time of an open file late, so the database is also queried after this many polls. */
const pollsOfFiles = 10;

const columns = `id, ${dataColumns}, time_created, time_updated`;

/** The place of a row among the others: when it was created, and its ID. */
type Place = readonly [created: number, id: string];
const start: Place = [-1, ''];

/** A session in OpenCode's database. When it grows, only new and changed rows are read. */
export class OpencodeSource implements LineSource {
  private readonly lines = new NewLines();
  /** The last message of the first reading; `undefined` when that is done. */
  private last: Place | undefined = start;
  /** When the newest row that was read had changed, in milliseconds since the epoch. */
  private changedAt = 0;
  private hasChanged = false;
  /** IDs of messages that have changed, or have parts that have. */
  private changed: readonly string[] = [];
  /** What was read before those changes. */
  private since = 0;
  private version: string | undefined;
  private polls = 0;
  private bytes = 0;

  constructor(
    private readonly databases: Databases,
    private readonly path: string,
    private readonly id: string,
  ) {}

  get size(): number {
    return this.bytes;
  }

  async read(): Promise<readonly Line[] | undefined> {
    const { last } = this;
    if (last) return this.query((database) => this.readNext(database, last));
    if (!this.hasChanged && this.changed.length === 0) return undefined;
    // If the database is locked, the next poll reads it.
    return this.query((database) => this.readChanges(database)).catch(() => undefined);
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
    const { id, changedAt } = this;
    const newer = (table: string): string => `exists(select 1 from ${table} where session_id = ? and time_updated > ?)`;
    const sql = `select ${newer('part')} or ${newer('message')} as is_newer`;
    const [row] = await this.query((database) => allRows(database, sql, id, changedAt, id, changedAt));
    this.version = version;
    this.hasChanged ||= row?.['is_newer'] === 1;
    return this.hasChanged;
  }

  private async readNext(database: Database, last: Place): Promise<readonly Line[] | undefined> {
    const begun = last === start ? await this.readSession(database) : undefined;
    const { rows } = await database.page(
      `select ${columns} from message where session_id = ? and (time_created, id) > (?, ?)
       order by time_created, id limit ${messagesAtOnce}`,
      this.id,
      ...last,
    );
    const messages = await this.readMessages(database, rows);
    this.last = placeOf(rows.at(-1));
    return this.last || begun ? [...(begun ?? []), ...messages] : undefined;
  }

  private async readChanges(database: Database): Promise<readonly Line[]> {
    if (this.changed.length === 0) await this.findChanges(database);
    const ids = this.changed.slice(0, messagesAtOnce);
    const rows: JsonObject[] = [];
    for (const id of ids) rows.push(...(await allRows(database, `select ${columns} from message where id = ?`, id)));
    const lines = [...(await this.readSession(database)), ...(await this.readMessages(database, rows, this.since))];
    this.changed = this.changed.slice(ids.length);
    return lines;
  }

  private async findChanges(database: Database): Promise<void> {
    const { id, changedAt } = this;
    const changed = (table: string, message: string): string =>
      `select ${message} as message, time_updated as at from ${table} where session_id = ? and time_updated >= ?`;
    const rows = await allRows(
      database,
      `select message from (${changed('message', 'id')} union all ${changed('part', 'message_id')})
       group by message order by min(at), message limit ${maxChanged}`,
      id,
      changedAt,
      id,
      changedAt,
    );
    this.hasChanged = false;
    this.since = changedAt;
    this.changed = rows.flatMap((row) => textOf(row['message']) ?? []);
  }

  private async readSession(database: Database): Promise<readonly Line[]> {
    const info = await opencodeInfo(database, this.id);
    if (!info) throw new WordsError(t('it has no such session'));
    return this.lines.of([opencodeSession(info)]);
  }

  /** @param since only parts that have changed since then */
  private async readMessages(database: Database, rows: readonly JsonObject[], since = 0): Promise<readonly Line[]> {
    const found: Line[] = [];
    for (const row of rows) {
      this.passed(row);
      const id = textOf(row['id']) ?? '';
      const parts = await this.readParts(database, id, since);
      found.push(...this.lines.of(opencodeMessage({ info: { ...objectOf(parsed(row['data'])), id }, parts })));
    }
    return found;
  }

  private async readParts(database: Database, message: string, since: number): Promise<readonly JsonObject[]> {
    const parts: JsonObject[] = [];
    let bytes = 0;
    for (let last: Place | undefined = start; last && parts.length < maxParts && bytes < maxPartBytes;) {
      const { rows, isCut } = await database.page(
        `select ${columns} from part
         where message_id = ? and session_id = ? and time_updated >= ? and (time_created, id) > (?, ?)
         order by time_created, id limit ${maxParts}`,
        message,
        this.id,
        since,
        ...last,
      );
      for (const row of rows) {
        this.passed(row);
        bytes += numberOf(row['bytes']) ?? 0;
        const data = row['data'] === null ? { bytes: row['bytes'] } : objectOf(parsed(row['data']));
        parts.push({ ...data, id: row['id'], messageID: message });
      }
      last = isCut ? placeOf(rows.at(-1)) : undefined;
    }
    if (bytes >= maxPartBytes) parts.push({ bytes, id: `${message} cut`, messageID: message });
    return parts;
  }

  private passed(row: JsonObject): void {
    this.changedAt = Math.max(this.changedAt, numberOf(row['time_updated']) ?? 0);
    this.bytes += numberOf(row['bytes']) ?? 0;
  }

  private query<T>(read: (database: Database) => Promise<T>): Promise<T> {
    return queryOpencode(this.databases, this.path, read);
  }
}

function placeOf(row: JsonObject | undefined): Place | undefined {
  return row && [numberOf(row['time_created']) ?? 0, textOf(row['id']) ?? ''];
}
