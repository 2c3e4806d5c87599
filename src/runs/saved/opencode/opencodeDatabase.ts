import { oneLine } from '../../../log/text';
import type { JsonObject } from '../../../log/json';
import { isObject, numberOf, objectOf, textOf } from '../../../log/json';
import type { KeyedLine } from '../../../protocols/saved/documentLines';
import { opencodeLines } from '../../../protocols/saved/documentLines';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedDetails, SavedSession } from '../savedSession';
import { knownDetails } from '../savedSession';
import type { Database } from '../sqlite';

/** Maximum number of rows to read from a session. */
const maxRows = 50_000;

/** The sessions in OpenCode's database, newest first, including subagents. */
export function opencodeSessions(database: Database, path: string): readonly SavedSession[] {
  const rows = database.all(
    `select id, parent_id, directory, title, version, model, time_created, time_updated from session
     order by time_updated desc limit ${maxRows}`,
  );
  return rows.flatMap((row): SavedSession[] => {
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
export function opencodeOutcome(database: Database, id: string): SavedDetails {
  const [row] = database.all('select data from message where session_id = ? order by time_created desc limit 1', id);
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

/** The rows of one session as lines; `undefined` if the database has no such session. */
export function opencodeSessionLines(database: Database, id: string): readonly KeyedLine[] | undefined {
  const [row] = database.all('select * from session where id = ?', id);
  if (!row) return undefined;
  const info = {
    id,
    title: row['title'],
    directory: row['directory'],
    version: row['version'],
    parentID: row['parent_id'],
    model: parsed(row['model']),
    time: { created: row['time_created'], updated: row['time_updated'] },
  };
  const parts = new Map<string, JsonObject[]>();
  const partRows = `select id, message_id, data from part where session_id = ? order by time_created, id limit ${maxRows}`;
  for (const part of database.all(partRows, id)) {
    const message = textOf(part['message_id']) ?? '';
    const data = { ...objectOf(parsed(part['data'])), id: part['id'], messageID: message };
    const known = parts.get(message);
    if (known) known.push(data);
    else parts.set(message, [data]);
  }
  const messageRows = `select id, data from message where session_id = ? order by time_created, id limit ${maxRows}`;
  const messages = database.all(messageRows, id).map((message) => ({
    info: { ...objectOf(parsed(message['data'])), id: message['id'] },
    parts: parts.get(textOf(message['id']) ?? '') ?? [],
  }));
  return opencodeLines(info, messages);
}

/** A row that contains the search words. */
export interface OpencodeMatch {
  /** JSON as stored in the database. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The parts of a session and of its subagents that contain all words, oldest first. */
export function opencodeMatches(
  database: Database,
  id: string,
  words: readonly string[],
  limit: number,
): readonly OpencodeMatch[] {
  const patterns = words.map((word) => `%${likeText(JSON.stringify(word).slice(1, -1))}%`);
  const tests = words.map(() => `and data like ? escape '!'`).join(' ');
  const rows = database.all(
    `select data, time_created from part
     where session_id in (select id from session where id = ? or parent_id = ?) ${tests}
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

/** A version string that changes with the session. */
export function opencodeSessionVersion(database: Database, id: string): string {
  const newest = (table: string): unknown =>
    database.all(`select max(time_updated) as t from ${table} where session_id = ?`, id)[0]?.['t'];
  return [newest('part'), newest('message')].map(String).join(' ');
}

/** The tables exist since OpenCode 1.2. */
export function isOpencode(database: Database): boolean {
  const names = database.all(`select name from sqlite_master where type = 'table'`).map(({ name }) => name);
  return ['session', 'message', 'part'].every((name) => names.includes(name));
}

function parsed(value: unknown): unknown {
  if (isObject(value)) return value;
  return typeof value === 'string' ? jsonValueOf(value).msg : undefined;
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, 500) : undefined;
}
