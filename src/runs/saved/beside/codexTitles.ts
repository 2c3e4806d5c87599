import { join } from 'node:path';
import { objectOf, textOf } from '../../../protocols/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedFs } from '../savedFs';
import type { Database } from '../sqlite';
import { newestDatabase } from './newestDatabase';
import type { LogAccess } from './retries';

/** Maximum size to read, in bytes. The newest names are at the end. */
const maxIndex = 4 * 1024 * 1024;
/** Maximum number of rows to read; the newest count. */
const maxRows = 20_000;

/** The names and titles of Codex sessions, by ID; rollouts don't have them. */
export async function codexTitles(root: string, access: LogAccess): Promise<ReadonlyMap<string, string>> {
  const [index, database] = await Promise.all([
    indexTitles(root, access.fs),
    databaseTitles(access.codexLogs ?? root, access).catch(() => []), // The index and the first prompt remain.
  ]);
  return new Map([
    ...database.map(({ id, title }) => [id, title] as const),
    ...index,
    ...database.filter(({ isName }) => isName).map(({ id, title }) => [id, title] as const),
  ]);
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

async function databaseTitles(folder: string, { fs, openDatabase }: LogAccess): Promise<readonly ThreadTitle[]> {
  const path = await newestDatabase(folder, 'state', fs);
  if (!openDatabase || path === undefined) return [];
  const database = openDatabase(path);
  try {
    return rowsOf(database).flatMap((row): ThreadTitle[] => {
      const [id, name, title] = [textOf(row['id']), textOf(row['name']), textOf(row['title'])];
      const shown = name ?? title;
      return id === undefined || shown === undefined ? [] : [{ id, title: shown, isName: name !== undefined }];
    });
  } finally {
    database.close();
  }
}

function rowsOf(database: Database): ReturnType<Database['all']> {
  const query = (name: string): ReturnType<Database['all']> =>
    database.all(`select id, substr(title, 1, 500) as title, ${name} as name from threads
                  order by updated_at desc limit ${maxRows}`);
  try {
    return query('name');
  } catch {
    return query('null'); // The column is new in 2026.
  }
}
