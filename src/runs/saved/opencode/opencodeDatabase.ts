import { oneLine } from '../../../log/text';
import type { JsonObject } from '../../../log/json';
import { isObject, numberOf, objectOf, textOf } from '../../../log/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedSession } from '../savedSession';
import type { SavedDetails } from '../../../agents/savedDetails';
import { knownDetails } from '../../../agents/savedDetails';
import type { Database, Databases } from '../sqlite';
import { allRows } from '../sqlite';

/** Maximum number of sessions to read. */
const maxSessions = 50_000;
/** Which sessions to read, and in which order. */
type SessionFilter = 'order by time_updated desc' | 'where id = ?' | 'where parent_id = ? order by time_created';

/** Reads OpenCode's database; the tables exist since OpenCode 1.2. */
export function queryOpencode<T>(
  databases: Databases,
  path: string,
  read: (database: Database) => Promise<T>,
): Promise<T> {
  return databases.query(path, ['session', 'message', 'part'], read);
}

/** Sessions in OpenCode's database, including subagents. */
export async function opencodeSessions(
  database: Database,
  path: string,
  filter: SessionFilter = 'order by time_updated desc',
  ...values: readonly string[]
): Promise<readonly SavedSession[]> {
  const text = (name: string): string => `substr(${name}, 1, 1000) as ${name}`;
  const columns = ['id', 'parent_id', 'directory', 'title', 'version', 'model'].map(text).join(', ');
  const sql = `select ${columns}, time_created, time_updated from session ${filter} limit ${maxSessions}`;
  return (await allRows(database, sql, ...values)).flatMap((row): SavedSession[] => {
    const id = textOf(row['id']);
    if (id === undefined) return [];
    const updated = numberOf(row['time_updated']) ?? 0;
    return [
      {
        agent: 'opencode',
        id,
        path,
        size: 0,
        modifiedAt: updated,
        lastAt: updated,
        ...knownDetails({
          startedAt: numberOf(row['time_created']),
          title: shortText(row['title']),
          folder: shortText(row['directory']),
          version: shortText(row['version']),
          model: shortText(objectOf(parsed(row['model']))['id']),
          parent: shortText(row['parent_id']),
        }),
      },
    ];
  });
}

/** How a session's newest turn ended. */
export async function opencodeOutcome(database: Database, id: string): Promise<SavedDetails> {
  const sql = `select ${dataColumns} from message where session_id = ? order by time_created desc limit 1`;
  const [row] = await allRows(database, sql, id);
  const message = objectOf(parsed(row?.['data']));
  const error = isObject(message['error']) ? message['error'] : undefined;
  if (error?.['name'] === 'MessageAbortedError') return { outcome: 'interrupted' };
  if (error) {
    return knownDetails({ outcome: 'failed', problem: shortText(objectOf(error['data'])['message']) });
  }
  const finish = textOf(message['finish']);
  // After its tool calls, the model continues in another message.
  return { outcome: finish === undefined || finish === 'tool-calls' ? 'open' : 'completed' };
}

/** The row of a session in the form of `opencode export`; `undefined` if the database has no such session. */
export async function opencodeInfo(database: Database, id: string): Promise<JsonObject | undefined> {
  const [row] = await allRows(database, 'select * from session where id = ?', id);
  if (!row) return undefined;
  return {
    id,
    title: row['title'],
    directory: row['directory'],
    version: row['version'],
    parentID: row['parent_id'],
    model: parsed(row['model']),
    time: { created: row['time_created'], updated: row['time_updated'] },
  };
}

/** A row that contains the search words. */
export interface OpencodeMatch {
  /** JSON as stored in the database. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The parts of a session and of its subagents that contain all words, oldest first. */
export async function opencodeMatches(
  database: Database,
  id: string,
  words: readonly string[],
  limit: number,
): Promise<readonly OpencodeMatch[]> {
  const patterns = words.map((word) => `%${likeText(JSON.stringify(word).slice(1, -1))}%`);
  const tests = words.map(() => `and data like ? escape '!'`).join(' ');
  const { rows } = await database.page(
    `select ${dataColumns}, time_created from part
     where session_id in (select id from session where id = ? or parent_id = ?) and octet_length(data) <= ${maxData} ${tests}
     order by time_created limit ${Math.floor(limit)}`,
    id,
    id,
    ...patterns,
  );
  return rows.flatMap((row): OpencodeMatch[] => {
    const text = textOf(row['data']);
    return text === undefined ? [] : [{ text, at: numberOf(row['time_created']) ?? 0 }];
  });
}

function likeText(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}

/** Maximum length of a row's JSON, in bytes. */
const maxData = 16 * 1024 * 1024;
/** A row's JSON unless it is too long, and its length in bytes. */
export const dataColumns = `case when octet_length(data) <= ${maxData} then data end as data, octet_length(data) as bytes`;

/** JSON in a column. */
export function parsed(value: unknown): unknown {
  if (isObject(value)) return value;
  return typeof value === 'string' ? jsonValueOf(value).msg : undefined;
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, 500) : undefined;
}
