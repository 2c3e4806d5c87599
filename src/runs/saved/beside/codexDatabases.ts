import { join } from 'node:path';
import type { JsonObject } from '../../../log/json';
import { numberOf, objectOf, textOf } from '../../../log/json';
import type { BesideRetry } from '../../../protocols/saved/besideLines';
import { codexRetry } from '../../../agents/codex/retries';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedFs } from '../savedFs';
import type { SavedSession } from '../savedSession';
import type { Database, Databases } from '../sqlite';
import { allRows } from '../sqlite';

/** Maximum size to read, in bytes. The newest names are at the end. */
const maxIndex = 4 * 1024 * 1024;
/** Maximum number of rows to read; the newest count. */
const maxRows = 20_000;
const maxRetries = 1000;

export interface LogAccess {
  readonly fs: SavedFs;
  readonly databases: Databases | undefined;
  /** `CODEX_SQLITE_HOME`. */
  readonly codexLogs?: string | undefined;
}

/** The failed requests that only Codex' log database has, oldest first. @throws if it can't be read */
export async function codexRetries(
  { id, path: file }: SavedSession,
  access: LogAccess,
): Promise<readonly BesideRetry[]> {
  const root = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(file)?.[1];
  if (root === undefined) return [];
  return queryNewest('logs', root, access, async (database) => {
    const rows = await allRows(
      database,
      `select ts, ts_nanos, substr(feedback_log_body, -2000) as body from logs
       where thread_id = ? and target like '%::responses_retry' order by ts, ts_nanos limit ${maxRetries}`,
      id,
    );
    return rows.flatMap((row) => {
      const at = (numberOf(row['ts']) ?? NaN) * 1000 + Math.floor((numberOf(row['ts_nanos']) ?? 0) / 1e6);
      return codexRetry(textOf(row['body']) ?? '', at) ?? [];
    });
  });
}

/** The names and titles of Codex sessions, by ID; rollouts don't have them. */
export async function codexTitles(root: string, access: LogAccess): Promise<ReadonlyMap<string, string>> {
  const [index, threads] = await Promise.all([
    indexTitles(root, access.fs),
    queryNewest('state', root, access, threadTitles).catch(() => []), // The index and the first prompt remain.
  ]);
  const pairs = (these: readonly ThreadTitle[]) => these.map(({ id, title }) => [id, title] as const);
  return new Map([...pairs(threads), ...index, ...pairs(threads.filter(({ isName }) => isName))]);
}

async function indexTitles(root: string, fs: SavedFs): Promise<readonly (readonly [string, string])[]> {
  const path = join(root, 'session_index.jsonl');
  const stats = await fs.stat(path);
  if (!stats) return [];
  const from = Math.max(0, stats.size - maxIndex);
  const text = (await fs.read(path, from, maxIndex).catch(() => Buffer.alloc(0))).toString('utf8');
  return text.split('\n').flatMap((line): [string, string][] => {
    const entry = objectOf(jsonValueOf(line).msg);
    const [id, name] = [textOf(entry['id']), textOf(entry['thread_name'])];
    return id === undefined || name === undefined ? [] : [[id, name]];
  });
}

interface ThreadTitle {
  readonly id: string;
  readonly title: string;
  /** True if the user gave it. */
  readonly isName: boolean;
}

async function threadTitles(database: Database): Promise<readonly ThreadTitle[]> {
  return (await threadRows(database)).flatMap((row) => {
    const [id, name, title] = [textOf(row['id']), textOf(row['name']), textOf(row['title'])];
    const shown = name ?? title;
    return id === undefined || shown === undefined ? [] : { id, title: shown, isName: name !== undefined };
  });
}

function threadRows(database: Database): Promise<readonly JsonObject[]> {
  const query = (name: string): Promise<readonly JsonObject[]> =>
    allRows(
      database,
      `select id, substr(title, 1, 500) as title, ${name} as name from threads
       order by updated_at desc limit ${maxRows}`,
    );
  return query('substr(name, 1, 500)').catch(() => query('null')); // The column is new in 2026.
}

/** The tables to read. */
const tables = { state: 'threads', logs: 'logs' } as const;

/** Reads one of Codex' databases, such as `state_5.sqlite`: the number is the schema version, and the newest is in use. */
async function queryNewest<T>(
  name: 'state' | 'logs',
  root: string,
  { fs, databases, codexLogs: folder = root }: LogAccess,
  read: (database: Database) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const pattern = new RegExp(`^${name}_(\\d{1,6})\\.sqlite$`);
  const versions = (await fs.list(folder)).flatMap((entry) => pattern.exec(entry.name)?.[1] ?? []).map(Number);
  if (!databases || versions.length === 0) return [];
  const file = join(folder, `${name}_${Math.max(...versions)}.sqlite`);
  return databases.query(file, [tables[name]], read);
}
