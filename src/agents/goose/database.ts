import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { oneLine } from '../../text/text';
import { partsOf } from '../reading/saved/parts';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedDatabase, SavedMatch, SavedRow, Usages } from '../savedDatabase';
import type { SavedDetails } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import { failureIn } from './failure';
import { usageIn } from './content';
import { columnsOf, GooseRows, maxData, sessionColumns, sessionOf } from './rows';

/** Maximum number of messages whose usage is added up. */
const maxUsages = 50_000;
/** Maximum number of sessions to read. */
const maxSessions = 50_000;

/** goose's database, which exists since goose 1.10 (`SessionStorage` in its session_manager.rs). */
export const database: SavedDatabase = {
  file: 'sessions/sessions.db',
  tables: ['sessions', 'messages'],
  recognises: ({ columns }) =>
    columns.get('sessions')?.has('working_dir') === true && columns.get('messages')?.has('content_json') === true,
  sessions,
  // A subagent's session doesn't say which one started it.
  children: () => Promise.resolve([]),
  outcome,
  usages,
  matches,
  rows: (id) => new GooseRows(id),
};

async function sessions(of: Database, limit = maxSessions): Promise<readonly SavedRow[]> {
  const columns = await columnsOf(of, 'sessions');
  const filter = columns.has('session_type') ? "where session_type not in ('sub_agent', 'hidden')" : '';
  const sql = `select ${sessionColumns(columns)} from sessions ${filter} order by updated_at desc limit ${limit}`;
  return (await allRows(of, sql)).flatMap((row): SavedRow[] => {
    const session = sessionOf(row);
    if (!session) return [];
    const { id, title, folder, model, startedAt } = session;
    return [{ ...knownDetails({ title, folder, model, startedAt }), id, lastAt: numberOf(row['updated']) ?? 0 }];
  });
}

async function outcome(of: Database, id: string): Promise<SavedDetails> {
  const data = `case when octet_length(content_json) <= ${maxData} then content_json end as data`;
  const [row] = await allRows(
    of,
    `select role, ${data} from messages where session_id = ? order by id desc limit 1`,
    id,
  );
  const parts = partsOf(parsedJson(textOf(row?.['data']) ?? ''));
  const isOpen = row?.['role'] !== 'assistant' || parts.some(({ type }) => type === 'toolRequest');
  if (isOpen) return { outcome: 'open' };
  const [problem] = parts.flatMap((part: JsonObject) => failureIn(textOf(part['text']) ?? '') ?? []);
  return problem === undefined ? { outcome: 'ok' } : { outcome: 'error', problem: oneLine(problem, 300) };
}

async function usages(of: Database, since: number): Promise<Usages> {
  const columns = await columnsOf(of, 'messages');
  // Older versions don't save what a message used.
  if (!columns.has('metadata_json')) return { requests: [], isCut: false };
  const { rows, isCut } = await of.page(
    `select session_id, created_timestamp, substr(metadata_json, 1, 10000) as metadata from messages
     where created_timestamp >= ? and metadata_json like '%"usage"%' order by id desc limit ${maxUsages}`,
    since / 1000,
  );
  const requests = rows.map((row) => {
    const counts = objectOf(objectOf(parsedJson(textOf(row['metadata']) ?? ''))['usage']);
    const at = (numberOf(row['created_timestamp']) ?? 0) * 1000;
    return { session: textOf(row['session_id']) ?? '', at, usage: usageIn(counts) };
  });
  return { requests, isCut: isCut || rows.length === maxUsages };
}

async function matches(
  of: Database,
  id: string,
  words: readonly string[],
  limit: number,
): Promise<readonly SavedMatch[]> {
  const patterns = words.map((word) => `%${JSON.stringify(word).slice(1, -1).replace(/[!%_]/g, '!$&')}%`);
  const tests = words.map(() => `and content_json like ? escape '!'`).join(' ');
  const { rows } = await of.page(
    `select content_json, created_timestamp from messages
     where session_id = ? and octet_length(content_json) <= ${maxData} ${tests}
     order by id limit ${Math.floor(limit)}`,
    id,
    ...patterns,
  );
  return rows.flatMap((row): SavedMatch[] => {
    const text = textOf(row['content_json']);
    return text === undefined ? [] : [{ text, at: (numberOf(row['created_timestamp']) ?? 0) * 1000 }];
  });
}
