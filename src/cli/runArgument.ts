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
import { savedSessionsHere } from './sessionsCommand';
import { UsageError } from './usageError';

/** What finding a run needs. */
export type RunPlaces = Pick<Cli, 'machine' | 'redaction' | 'redactor'>;

/** Whether an argument can be read only once and in order: standard input, or a pipe such as `<(COMMAND)`. */
export async function isPipe(argument: string): Promise<boolean> {
  if (argument === '-') return true;
  const known = await stat(argument).catch(() => undefined);
  return known !== undefined && !known.isFile() && !known.isDirectory();
}

export function shownName(argument: string): string {
  return argument === '-' ? 'standard input' : argument;
}

/** The saved session that an argument names by its file or the end of its ID; `undefined` if it names none. */
export async function savedSessionOf(
  argument: string,
  cli: RunPlaces,
  session?: string,
  sessions: SavedSessions = savedSessionsHere(cli),
): Promise<FileRunInfo | undefined> {
  const found = await stat(argument).catch(() => undefined);
  if (found) return found.isFile() ? sessions.openFile(resolve(argument), session) : undefined;
  const named = /^[\w-]{6,}$/.test(argument) ? await sessions.findAny(argument) : undefined;
  return named && sessions.open(named);
}

/**
 * The run that an argument names: the file of a journal, a stream or a log; or the end of the ID of a saved session, or of a run that a tap
 * recorded.
 * @throws UsageError if there is no such run
 */
export async function runOf(argument: string, cli: RunPlaces): Promise<FileRunInfo> {
  return located(argument, cli).catch((error: unknown) => {
    throw error instanceof UsageError ? error : new UsageError(unreadable(argument, error, 'a session or a run'));
  });
}

/** Why an argument can't be read, and what to do. @param others what may be named by the end of its ID */
export function unreadable(argument: string, error: unknown, others: string): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return `${argument} does not exist. Name a file, or ${others} by the last characters of its id, at least 6.`;
    case 'EISDIR':
      return `${argument} cannot be read: it is a folder. Name one of the files in it.`;
    case 'EACCES':
    case 'EPERM':
      return `${argument} cannot be read: its permissions do not allow you to. Change them, or run this as its owner.`;
    default:
      return `${argument} cannot be read: ${messageOf(error)}`;
  }
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
