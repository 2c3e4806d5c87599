import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../machine/makeFolder';
import { replaceFile } from '../../machine/wholeFile';

// Files with settings of VS Code that the terminal follows, too, next to the folder of the taps' journals.

/** Writes a value as JSON, readable only by the user. Deletes the file if there is none. */
export async function writeSettingsFile(path: string, value: object | undefined): Promise<void> {
  if (value === undefined) return rm(path, { force: true });
  await makeFolder(dirname(path));
  const text = `${JSON.stringify(value, null, 2)}\n`;
  await replaceFile(path, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
}

/**
 * Reads the value; `undefined` if there is no file.
 * @throws if it can't be read, or isn't JSON
 */
export function readSettingsFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
