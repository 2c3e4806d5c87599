import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { JournalSet } from '../wire/journal/journalFolder';
import { isNamed, JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import { fileRunInfo } from '../past/files/fileRunInfo';
import type { SavedSessions } from '../past/saved/list/savedSessions';
import { codeOf, messageOf } from '../text/humanError';
import type { Cli } from './context';
import { findSaved, savedSessionsHere } from './sessionsCommand';
import { UsageError } from './usageError';

/** What finding a run needs. */
export type RunPlaces = Pick<Cli, 'machine' | 'redaction' | 'redactor'>;

/** The saved session that an argument names by its file or the end of its ID; `undefined` if it names none. */
export async function savedSessionOf(
  argument: string,
  cli: RunPlaces,
  session?: string,
  sessions: SavedSessions = savedSessionsHere(cli),
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
export async function runOf(argument: string, cli: RunPlaces): Promise<FileRunInfo> {
  return located(argument, cli).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    const isMissing = codeOf(error) === 'ENOENT';
    const why = isMissing
      ? 'does not exist. Name a file, or a session or a run by the end of its id.'
      : `cannot be read: ${messageOf(error)}`;
    throw new UsageError(`${argument} ${why}`);
  });
}

async function located(argument: string, cli: RunPlaces): Promise<FileRunInfo> {
  const saved = await savedSessionOf(argument, cli);
  if (saved) return saved;
  const path = resolve(argument);
  const taps = new JournalFolder(tapFolder(cli.machine));
  const tapped = existsSync(path) ? undefined : await journalNamed(argument, taps);
  const set = tapped ?? (await new JournalFolder(dirname(path)).setOf(path));
  return fileRunInfo(set, 'opened', () => cli.redaction);
}

async function journalNamed(id: string, folder: JournalFolder): Promise<JournalSet | undefined> {
  return (await folder.list()).find((set) => isNamed(set, id));
}
