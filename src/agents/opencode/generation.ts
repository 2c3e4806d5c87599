import type { JsonObject } from '../../text/json';
import { isObject, numberOf, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedMatch, SavedRow, SessionRows } from '../savedDatabase';
import type { SavedDetails } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import { jsonIn, maxData, numberColumns, textColumns } from './columns';
import { errorOf } from './endings';

/** Maximum number of sessions to read. */
export const maxSessions = 50_000;

/** How versions 1 or 2 keep sessions in the database. */
export interface Generation {
  readonly tables: readonly string[];
  /** The table of sessions. */
  readonly sessions: string;
  /** How a session's newest turn ended, and what its own row lacks. */
  outcome(of: Database, id: string): Promise<SavedDetails>;
  matches(of: Database, id: string, words: readonly string[], limit: number): Promise<readonly SavedMatch[]>;
  /** A query of `session_id, at, tokens, cost` of all model requests since a time, which is its last value. @param filter selects the sessions that count */
  usages(filter: string): string;
  rows(id: string): SessionRows;
}

export async function sessionsIn(
  of: Database,
  table: string,
  filter: string,
  ...values: readonly string[]
): Promise<readonly SavedRow[]> {
  const texts = textColumns(of, table, [
    'id',
    'parent_id',
    'fork_session_id',
    'directory',
    'title',
    'version',
    'model',
  ]);
  const times = numberColumns(of, table, [
    'time_created',
    'time_updated',
    ...(table === 'session' ? [] : ['time_idle']),
  ]);
  const sql = `select ${texts}, ${times} from ${table} ${filter}`;
  return (await allRows(of, sql, ...values)).flatMap((row): SavedRow[] => {
    const id = textOf(row['id']);
    if (id === undefined) return [];
    const details = knownDetails({
      startedAt: numberOf(row['time_created']),
      title: ownTitle(row['title']),
      folder: shortText(row['directory']),
      version: shortText(row['version']),
      model: shortText(jsonIn(row, 'model')['id']),
      parent: shortText(row['parent_id']),
      forkedFrom: shortText(row['fork_session_id']),
    });
    const lastAt = Math.max(...['time_updated', 'time_idle'].map((name) => numberOf(row[name]) ?? 0));
    return [{ ...details, id, lastAt }];
  });
}

/** The rows of a session and of its subagents that contain all words. */
export async function matchesIn(
  of: Database,
  { tables, sessions }: { readonly tables: readonly string[]; readonly sessions: string },
  id: string,
  words: readonly string[],
  limit: number,
): Promise<readonly SavedMatch[]> {
  const patterns = words.map((word) => `%${likeText(JSON.stringify(word).slice(1, -1))}%`);
  const tests = words.map(() => `and data like ? escape '!'`).join(' ');
  const found = tables.map(
    (table) =>
      `select data, time_created from ${table}
       where session_id in (select id from ${sessions} where id = ? or parent_id = ?) and octet_length(data) <= ${maxData} ${tests}`,
  );
  const { rows } = await of.page(
    `${found.join(' union all ')} order by time_created limit ${Math.floor(limit)}`,
    ...tables.flatMap(() => [id, id, ...patterns]),
  );
  return rows.flatMap((row): SavedMatch[] => {
    const text = textOf(row['data']);
    return text === undefined ? [] : [{ text, at: numberOf(row['time_created']) ?? 0 }];
  });
}

function likeText(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}

/** How a turn ended, or goes on, according to its newest answer. */
export function outcomeIn(answer: JsonObject): SavedDetails {
  const error = isObject(answer['error']) ? errorOf(answer['error']) : undefined;
  if (error?.isInterruption === true) return { outcome: 'cancelled' };
  if (error) return knownDetails({ outcome: 'error', problem: shortText(error.message) });
  const finish = textOf(answer['finish']);
  // After its tool calls, the model continues in another message.
  return { outcome: finish === undefined || finish === 'tool-calls' ? 'open' : 'ok' };
}

/** What a session is called until its model has named it, and for good if that request fails. */
const placeholder = /^(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]{1,20}Z(?: \(fork #\d+\))?$/;

/** A title that says what the session is about. */
export function ownTitle(title: unknown): string | undefined {
  const text = shortText(title);
  return text === undefined || placeholder.test(text) ? undefined : text;
}

export function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? oneLine(value, 500) : undefined;
}
