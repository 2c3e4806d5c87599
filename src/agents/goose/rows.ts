import { t, WordsError } from '../../text/translator';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { oneLine } from '../../text/text';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SessionRows } from '../savedDatabase';
import type { GooseSession } from './lines';
import { messageLine, sessionLine } from './lines';

/** Maximum length of a row's JSON, in bytes. */
export const maxData = 16 * 1024 * 1024;
/** Number of messages to read at once. */
const messagesAtOnce = 100;

/** The columns that a table has: each version of goose added some. */
export async function columnsOf(of: Database, table: string): Promise<ReadonlySet<string>> {
  const rows = await allRows(of, 'select name from pragma_table_info(?)', table);
  return new Set(rows.flatMap((row) => textOf(row['name']) ?? []));
}

/** What `sessionOf` reads. */
export function sessionColumns(columns: ReadonlySet<string>): string {
  const texts = ['id', 'name', 'description', 'working_dir', 'model_config_json'].filter((name) => columns.has(name));
  const time = (name: string, as: string): string => `cast(strftime('%s', ${name}) as integer) * 1000 as ${as}`;
  return [
    ...texts.map((name) => `substr(${name}, 1, 1000) as ${name}`),
    time('created_at', 'created'),
    time('updated_at', 'updated'),
  ].join(', ');
}

export function sessionOf(row: JsonObject): GooseSession | undefined {
  const id = textOf(row['id']);
  if (id === undefined) return undefined;
  const model = objectOf(parsedJson(textOf(row['model_config_json']) ?? ''))['model_name'];
  const title = textOf(row['name']) ?? textOf(row['description']);
  return {
    id,
    title: title === undefined ? undefined : oneLine(title, 500),
    folder: textOf(row['working_dir']),
    model: textOf(model),
    startedAt: numberOf(row['created']),
  };
}

/** A session in goose's database. Its messages are only added, but for a compaction, which adds them all again. */
export class GooseRows implements SessionRows {
  /** The `id` of the last message that was read; `undefined` before the session is. */
  private last: number | undefined;
  private columns: ReadonlySet<string> = new Set();
  isAtEnd = false;
  bytes = 0;

  constructor(private readonly id: string) {}

  async read(database: Database): Promise<readonly KeyedLine[] | undefined> {
    if (this.isAtEnd) return undefined;
    const begun = this.last === undefined ? [await this.readSession(database)] : [];
    const optional = ['message_id', 'metadata_json'].filter((name) => this.columns.has(name));
    const { rows } = await database.page(
      `select id, role, case when octet_length(content_json) <= ${maxData} then content_json end as data,
       octet_length(content_json) as bytes, created_timestamp ${optional.map((name) => `, substr(${name}, 1, 10000) as ${name}`).join('')}
       from messages where session_id = ? and id > ? order by id limit ${messagesAtOnce}`,
      this.id,
      this.last ?? -1,
    );
    this.last = numberOf(rows.at(-1)?.['id']) ?? this.last ?? -1;
    this.isAtEnd = rows.length === 0;
    const lines = [...begun, ...rows.map((row) => this.lineOf(row))];
    return lines.length === 0 ? undefined : lines;
  }

  async isChanged(database: Database): Promise<boolean> {
    const sql = 'select exists(select 1 from messages where session_id = ? and id > ?) as is_newer';
    const [row] = await allRows(database, sql, this.id, this.last ?? -1);
    if (row?.['is_newer'] === 1) this.isAtEnd = false;
    return !this.isAtEnd;
  }

  private async readSession(database: Database): Promise<KeyedLine> {
    this.columns = await columnsOf(database, 'messages');
    const columns = sessionColumns(await columnsOf(database, 'sessions'));
    const [row] = await allRows(database, `select ${columns} from sessions where id = ?`, this.id);
    const session = row && sessionOf(row);
    if (!session) throw new WordsError(t('it has no such session'));
    return sessionLine(session);
  }

  private lineOf(row: JsonObject): KeyedLine {
    const bytes = numberOf(row['bytes']) ?? 0;
    this.bytes += bytes;
    const key = textOf(row['message_id']) ?? `row ${String(row['id'])}`;
    const content = row['data'] === null ? undefined : parsedJson(textOf(row['data']) ?? '');
    const metadata = parsedJson(textOf(row['metadata_json']) ?? '');
    const message = { role: row['role'], content, ...(metadata !== undefined && { metadata }) };
    return messageLine(key, row['created_timestamp'], message, row['data'] === null ? bytes : undefined);
  }
}
