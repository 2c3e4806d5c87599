import { join } from 'node:path';
import type { SavedFs } from '../savedFs';

/** One of Codex's databases, such as `state_5.sqlite`: the number is the schema version, and the newest is in use. */
export async function newestDatabase(folder: string, name: 'state' | 'logs', fs: SavedFs): Promise<string | undefined> {
  const pattern = new RegExp(`^${name}_(\\d{1,6})\\.sqlite$`);
  const versions = (await fs.list(folder)).flatMap((entry) => pattern.exec(entry.name)?.[1] ?? []).map(Number);
  return versions.length === 0 ? undefined : join(folder, `${name}_${Math.max(...versions)}.sqlite`);
}
