import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { JournalFolder } from '../wire/journal/journalFolder';
import type { FileRunInfo } from '../runs/files/fileRunInfo';
import { fileRunInfo } from '../runs/files/fileRunInfo';
import type { SavedSessions } from '../runs/saved/savedSessions';
import { findSaved, savedSessionsHere } from './sessionsCommand';

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
 * The run that an argument names: a saved session, or the file of a journal, a stream or a log.
 * @throws if there is no such file, or it can't be read
 */
export async function runOf(argument: string): Promise<FileRunInfo> {
  const saved = await savedSessionOf(argument);
  if (saved) return saved;
  const path = resolve(argument);
  return fileRunInfo(await new JournalFolder(dirname(path)).setOf(path), 'opened', () => ({}));
}
