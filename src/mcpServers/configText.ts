import { readFile, stat } from 'node:fs/promises';
import { codeOf } from '../text/humanError';

/** Claude Code also keeps its state in the file. */
const maxBytes = 32 * 1024 * 1024;

/** The text of a client's settings file; `undefined` if it doesn't exist. */
export async function configText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new Error(`${size} bytes`);
    // With its byte order mark. What isn't UTF-8 couldn't be written back unchanged.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
