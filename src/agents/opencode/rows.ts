import { t, WordsError } from '../../text/translator';
import type { JsonObject } from '../../text/json';
import { numberOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SessionRows } from '../savedDatabase';
import { dataColumns, jsonIn } from './columns';
import { opencodeMessage, sessionOfRow } from './document';

/** Number of messages to read at once. */
const messagesAtOnce = 20;
/** Maximum number of changed messages to read. */
const maxChanged = 50_000;
/** Maximum number of parts of one message, and length of all their JSON in bytes. */
const maxParts = 20_000;
const maxPartBytes = 64 * 1024 * 1024;

const columns = `id, ${dataColumns}, time_created`;

/** The place of a row among the others: when it was created, and its ID. */
type Place = readonly [created: number, id: string];
const start: Place = [-1, ''];

/** A session in OpenCode's database, as `opencode export` prints it. When it grows, only new and changed rows are read. */
export class OpencodeRows implements SessionRows {
  /** The last message of the first reading; `undefined` when that is done. */
  private last: Place | undefined = start;
  private hasBegun = false;
  /** When the newest row had changed before the last reading began, in milliseconds since the epoch: rows change while others are read. */
  private changedAt = 0;
  private hasChanged = false;
  /** IDs of messages that have changed, or have parts that have. */
  private changed: readonly string[] = [];
  /** The same of the reading before. */
  private changedSince = 0;
  bytes = 0;

  constructor(private readonly id: string) {}

  get isAtEnd(): boolean {
    return !this.last && !this.hasChanged && this.changed.length === 0;
  }

  async read(database: Database): Promise<readonly KeyedLine[] | undefined> {
    if (this.last) return this.readNext(database, this.last);
    return this.isAtEnd ? undefined : this.readChanges(database);
  }

  async isChanged(database: Database): Promise<boolean> {
    const { id, changedAt } = this;
    const newer = (table: string): string => `exists(select 1 from ${table} where session_id = ? and time_updated > ?)`;
    const sql = `select ${newer('part')} or ${newer('message')} as is_newer`;
    const [row] = await allRows(database, sql, id, changedAt, id, changedAt);
    this.hasChanged ||= row?.['is_newer'] === 1;
    return this.hasChanged;
  }

  private async readNext(database: Database, last: Place): Promise<readonly KeyedLine[] | undefined> {
    if (!this.hasBegun) this.changedAt = await this.newestIn(database);
    const begun = this.hasBegun ? undefined : await this.readSession(database);
    this.hasBegun = true;
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

  private async readChanges(database: Database): Promise<readonly KeyedLine[]> {
    if (this.changed.length === 0) await this.findChanges(database);
    const ids = this.changed.slice(0, messagesAtOnce);
    const rows: JsonObject[] = [];
    for (const id of ids) rows.push(...(await allRows(database, `select ${columns} from message where id = ?`, id)));
    const lines = [
      ...(await this.readSession(database)),
      ...(await this.readMessages(database, rows, this.changedSince)),
    ];
    this.changed = this.changed.slice(ids.length);
    return lines;
  }

  private async newestIn(database: Database): Promise<number> {
    const newest = (table: string): string => `(select max(time_updated) from ${table} where session_id = ?)`;
    const sql = `select max(ifnull(${newest('part')}, 0), ifnull(${newest('message')}, 0)) as at`;
    const [row] = await allRows(database, sql, this.id, this.id);
    return numberOf(row?.['at']) ?? 0;
  }

  private async findChanges(database: Database): Promise<void> {
    const { id, changedAt } = this;
    const newest = await this.newestIn(database);
    const changed = (table: string, message: string): string =>
      `select ${message} as message, time_updated as at from ${table}
       where session_id = ? and time_updated >= ?`;
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
    this.changedAt = newest;
    this.changedSince = changedAt;
    this.changed = rows.flatMap((row) => textOf(row['message']) ?? []);
  }

  private async readSession(database: Database): Promise<readonly KeyedLine[]> {
    const { id } = this;
    const [row] = await allRows(database, 'select * from session where id = ?', id);
    if (!row) throw new WordsError(t('it has no such session'));
    return [sessionOfRow(id, row)];
  }

  /** @param since only parts that have changed since then */
  private async readMessages(database: Database, rows: readonly JsonObject[], since = 0): Promise<KeyedLine[]> {
    const found: KeyedLine[] = [];
    for (const row of rows) {
      this.bytes += numberOf(row['bytes']) ?? 0;
      const id = textOf(row['id']) ?? '';
      const parts = await this.readParts(database, id, since);
      found.push(...opencodeMessage({ info: { ...jsonIn(row, 'data'), id }, parts }));
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
        bytes += numberOf(row['bytes']) ?? 0;
        const data = row['data'] === null ? { bytes: row['bytes'] } : jsonIn(row, 'data');
        parts.push({ ...data, id: row['id'], messageID: message });
      }
      last = isCut ? placeOf(rows.at(-1)) : undefined;
    }
    this.bytes += bytes;
    if (bytes >= maxPartBytes) parts.push({ bytes, id: `${message} cut`, messageID: message });
    return parts;
  }
}

function placeOf(row: JsonObject | undefined): Place | undefined {
  return row && [numberOf(row['time_created']) ?? 0, textOf(row['id']) ?? ''];
}
