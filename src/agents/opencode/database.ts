import { isObject, numberOf, objectOf, textOf } from '../../log/json';
import { oneLine } from '../../log/text';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedDatabase, SavedMatch, SavedRow } from '../savedDatabase';
import type { SavedDetails } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import { dataColumns, jsonIn, maxData } from './columns';
import { OpencodeRows } from './rows';

/** Maximum number of sessions to read. */
const maxSessions = 50_000;

/** OpenCode's database; the tables exist since OpenCode 1.2. Each release channel has its own. */
export const database: SavedDatabase = {
  file: 'opencode.db',
  fileVariable: 'OPENCODE_DB',
  tables: ['session', 'message', 'part'],
  sessions: (of) => sessionsIn(of, 'order by time_updated desc'),
  children: (of, id) => sessionsIn(of, 'where parent_id = ? order by time_created', id),
  outcome,
  matches,
  rows: (id) => new OpencodeRows(id),
  printer: { program: 'opencode', args: (id) => ['export', id], id: /^ses_[A-Za-z0-9]{1,100}$/ },
};

async function sessionsIn(of: Database, filter: string, ...values: readonly string[]): Promise<readonly SavedRow[]> {
  const text = (name: string): string => `substr(${name}, 1, 1000) as ${name}`;
  const columns = ['id', 'parent_id', 'directory', 'title', 'version', 'model'].map(text).join(', ');
  const sql = `select ${columns}, time_created, time_updated from session ${filter} limit ${maxSessions}`;
  return (await allRows(of, sql, ...values)).flatMap((row): SavedRow[] => {
    const id = textOf(row['id']);
    if (id === undefined) return [];
    const details = knownDetails({
      startedAt: numberOf(row['time_created']),
      title: shortText(row['title']),
      folder: shortText(row['directory']),
      version: shortText(row['version']),
      model: shortText(jsonIn(row, 'model')['id']),
      parent: shortText(row['parent_id']),
    });
    return [{ ...details, id, lastAt: numberOf(row['time_updated']) ?? 0 }];
  });
}

async function outcome(of: Database, id: string): Promise<SavedDetails> {
  const sql = `select ${dataColumns} from message where session_id = ? order by time_created desc limit 1`;
  const [row] = await allRows(of, sql, id);
  const message = jsonIn(row, 'data');
  const error = isObject(message['error']) ? message['error'] : undefined;
  if (error?.['name'] === 'MessageAbortedError') return { outcome: 'interrupted' };
  if (error) {
    return knownDetails({ outcome: 'failed', problem: shortText(objectOf(error['data'])['message']) });
  }
  const finish = textOf(message['finish']);
  // After its tool calls, the model continues in another message.
  return { outcome: finish === undefined || finish === 'tool-calls' ? 'open' : 'completed' };
}

async function matches(
  of: Database,
  id: string,
  words: readonly string[],
  limit: number,
): Promise<readonly SavedMatch[]> {
  const patterns = words.map((word) => `%${likeText(JSON.stringify(word).slice(1, -1))}%`);
  const tests = words.map(() => `and data like ? escape '!'`).join(' ');
  const { rows } = await of.page(
    `select ${dataColumns}, time_created from part
     where session_id in (select id from session where id = ? or parent_id = ?) and octet_length(data) <= ${maxData} ${tests}
     order by time_created limit ${Math.floor(limit)}`,
    id,
    id,
    ...patterns,
  );
  return rows.flatMap((row): SavedMatch[] => {
    const text = textOf(row['data']);
    return text === undefined ? [] : [{ text, at: numberOf(row['time_created']) ?? 0 }];
  });
}

function likeText(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, 500) : undefined;
}
