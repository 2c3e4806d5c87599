import type { ParseError } from 'jsonc-parser';
import { parse } from 'jsonc-parser';
import { join } from 'node:path';
import type { DeletionAge } from '../../../agents/deletion';
import { codeOf } from '../../../text/humanError';
import type { JsonObject } from '../../../text/json';
import { isObject } from '../../../text/json';
import type { Machine } from '../list/agentFolders';
import { rootFolders } from '../list/agentFolders';
import type { SavedFs } from '../list/savedFs';

/** Maximum size of an agent's settings, in bytes. */
const maxSettings = 1024 * 1024;

/**
 * After how many days without a change an agent deletes the sessions of one of its folders; `undefined` if it deletes none, or if its settings
 * can't be read. Nothing else of them is read.
 */
export async function deletionDays(
  age: DeletionAge,
  root: string,
  machine: Machine,
  fs: Pick<SavedFs, 'read'>,
): Promise<number | undefined> {
  const folder = age.roots ? (rootFolders(age.roots, machine)[0] ?? root) : root;
  for (const name of age.names) {
    const settings = await settingsAt(join(folder, name), fs);
    if (settings !== 'missing') return settings && age.days(settings);
  }
  return age.days({});
}

async function settingsAt(path: string, fs: Pick<SavedFs, 'read'>): Promise<JsonObject | 'missing' | undefined> {
  try {
    const errors: ParseError[] = [];
    // Some agents allow comments.
    const settings: unknown = parse((await fs.read(path, 0, maxSettings)).toString('utf8'), errors);
    return errors.length === 0 && isObject(settings) ? settings : undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'missing' : undefined;
  }
}
