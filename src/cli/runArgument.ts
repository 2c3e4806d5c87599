import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { JournalSet } from '../wire/journal/journalFolder';
import { isNamed, JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import { fileRunInfo } from '../past/files/fileRunInfo';
import type { SavedSessions } from '../past/saved/list/savedSessions';
import { codeOf, messageOf } from '../text/humanError';
import { findSaved, savedSessionsHere } from './sessionsCommand';
import { UsageError } from './usageError';

/** The saved session that an argument names by its file or the end of its ID; `undefined` if it names none. */
export async function savedSessionOf(
  argument: string,
  session?: string,
  sessions: SavedSessions = savedSessionsHere(),
): Promise<FileRunInfo | undefined> {
  const found = await stat(argument).catch(() => undefined);
  if (found) return found.isFile() ? sessions.openFile(resolve(argument), session) : undefined;
  return /^[\w-]{6,}$/.test(argument) ? findSaved(argument, sessions) : undefined;
}

/**
 * The run that an argument names: the file of a journal, a stream or a log; or the end of the ID of a saved session, or of a run that a tap
 * recorded.
 * @throws UsageError if there is no such run
 */
export async function runOf(argument: string): Promise<FileRunInfo> {
  return located(argument).catch((error: unknown) => {
    const isMissing = codeOf(error) === 'ENOENT';
    const why = isMissing
      ? 'does not exist. Name a file, or a session or a run by the end of its id.'
      : `cannot be read: ${messageOf(error)}`;
    throw new UsageError(`${argument} ${why}`);
  });
}

async function located(argument: string): Promise<FileRunInfo> {
  const saved = await savedSessionOf(argument);
  if (saved) return saved;
  const path = resolve(argument);
  const taps = new JournalFolder(tapFolder({ platform: process.platform, env: process.env, home: homedir() }));
  const tapped = existsSync(path) ? undefined : await journalNamed(argument, taps);
  const set = tapped ?? (await new JournalFolder(dirname(path)).setOf(path));
  return fileRunInfo(set, 'opened', () => ({}));
}

async function journalNamed(id: string, folder: JournalFolder): Promise<JournalSet | undefined> {
  return (await folder.list()).find((set) => isNamed(set, id));
}
