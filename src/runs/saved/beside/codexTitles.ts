import { join } from 'node:path';
import { objectOf, textOf } from '../../../protocols/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { SavedFs } from '../savedFs';

/** Maximum size to read, in bytes. The newest names are at the end. */
const maxIndex = 4 * 1024 * 1024;

/** The names that users gave to Codex sessions, by ID; rollouts don't have them. */
export async function codexTitles(root: string, fs: SavedFs): Promise<ReadonlyMap<string, string>> {
  const path = join(root, 'session_index.jsonl');
  const stats = await fs.stat(path);
  if (!stats) return new Map();
  const from = Math.max(0, stats.size - maxIndex);
  const text = (await fs.read(path, from, maxIndex).catch(() => Buffer.alloc(0))).toString('utf8');
  const names = text.split('\n').flatMap((line): [string, string][] => {
    const entry = objectOf(jsonValueOf(line).msg);
    const [id, name] = [textOf(entry['id']), textOf(entry['thread_name'])];
    return id === undefined || name === undefined ? [] : [[id, name]];
  });
  return new Map(names);
}
