import { t, WordsError } from '../../text/translator';
import type { JsonObject } from '../../text/json';
import { numberOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SessionRows } from '../savedDatabase';
import { dataColumns, jsonIn, textColumns } from './columns';
import { sessionOfRow } from './document';
import { entryLines } from './entries';

/** Number of messages to read at once. */
const messagesAtOnce = 20;

/** What changes when a session's messages do. */
interface Version {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A session of version 2. Its rows are rewritten in place, so it is read again from the rows that have changed since the last reading. */
export class OpencodeRows2 implements SessionRows {
  /** The version when the last reading began, and the one before. */
  private version: Version | undefined;
  private since: Version = { seq: -1, at: 0 };
  /** The last row that doesn't count: it was copied from the session that this one was forked from. */
  private first = -1;
  /** The last row of this reading; `undefined` when that is done. */
  private last: number | undefined = -1;
  bytes = 0;

  constructor(private readonly id: string) {}

  get isAtEnd(): boolean {
    return this.last === undefined;
  }

  async read(database: Database): Promise<readonly KeyedLine[] | undefined> {
    const { id } = this;
    if (this.last === undefined) return undefined;
    const session = this.last === -1 ? await this.begin(database) : [];
    const { rows } = await database.page(
      `select id, type, seq, ${dataColumns} from session_message
       where session_id = ? and seq > ? and (seq > ? or time_updated >= ?) order by seq limit ${messagesAtOnce}`,
      id,
      Math.max(this.first, this.last),
      this.since.seq,
      this.since.at,
    );
    this.last = rows.length === 0 ? undefined : numberOf(rows.at(-1)?.['seq']);
    return this.last === undefined && session.length === 0 ? undefined : [...session, ...rows.flatMap(this.linesOf)];
  }

  async isChanged(database: Database): Promise<boolean> {
    const { seq, at } = await this.versionIn(database);
    if (this.last === undefined && this.version && (seq !== this.version.seq || at !== this.version.at)) {
      this.since = this.version;
      this.last = -1;
    }
    return this.last !== undefined;
  }

  private readonly linesOf = (row: JsonObject): readonly KeyedLine[] => {
    const { id, type, bytes } = row;
    this.bytes += numberOf(bytes) ?? 0;
    return entryLines({ ...(row['data'] === null ? { bytes } : jsonIn(row, 'data')), id, type });
  };

  private async begin(database: Database): Promise<readonly KeyedLine[]> {
    const { id } = this;
    const isFirst = this.version === undefined;
    // Before the rows: what changes meanwhile is read again.
    this.version = await this.versionIn(database);
    const texts = ['parent_id', 'fork_session_id', 'directory', 'title', 'version', 'model'];
    const columns = `${textColumns(database, 'session_v2', texts)}, time_created, time_updated`;
    const [row] = await allRows(database, `select ${columns} from session_v2 where id = ?`, id);
    if (!row) throw new WordsError(t('it has no such session'));
    const origin = textOf(row['fork_session_id']);
    if (isFirst && origin !== undefined) this.first = await this.copied(database, origin);
    return [sessionOfRow(id, row, origin === undefined ? {} : { forkedFrom: origin })];
  }

  /** The last row that another session has, too, where it counts. */
  private async copied(database: Database, origin: string): Promise<number> {
    const same = 'type, time_created, octet_length(data)';
    const [row] = await allRows(
      database,
      `select max(seq) as seq from session_message
       where session_id = ? and (${same}) in (select ${same} from session_message where session_id = ?)`,
      this.id,
      origin,
    );
    return numberOf(row?.['seq']) ?? -1;
  }

  private async versionIn(database: Database): Promise<Version> {
    const sql = 'select max(seq) as seq, max(time_updated) as at from session_message where session_id = ?';
    const [row] = await allRows(database, sql, this.id);
    return { seq: numberOf(row?.['seq']) ?? -1, at: numberOf(row?.['at']) ?? 0 };
  }
}
