import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { environmentVariable } from './shellPath';

/** Where and how to look for programs. */
export interface ProgramSearch {
  /** As `process.platform`. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute base path for relative paths. */
  readonly cwd: string;
  readonly isProgram: (path: string) => Promise<boolean>;
}

/** Windows defaults if `PATHEXT` isn't set. */
const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * Finds the file that a command names: the command itself if it is a path, otherwise the first match in the folders of the `PATH`. On Windows, tries the
 * extensions of `PATHEXT` in order, but doesn't search the current folder.
 */
export async function findProgram(command: string, search: ProgramSearch): Promise<string | undefined> {
  const windows = search.platform === 'win32';
  const path = windows ? win32 : posix;
  if (command === '' || command.includes('\0')) return undefined;
  const names = windows ? namesOnWindows(command, search.env) : [command];
  const isPath = windows ? /[\\/:]/.test(command) : command.includes('/');
  const candidates = isPath
    ? names.map((name) => path.resolve(search.cwd, name))
    : foldersOf(search).flatMap((folder) => names.map((name) => path.join(folder, name)));
  for (const candidate of candidates) if (await search.isProgram(candidate)) return candidate;
  return undefined;
}

/** Searches the disk. Files without execute permission are skipped, except on Windows, which has no such permission. */
export function searchDisk(env: ProgramSearch['env'], cwd: string): ProgramSearch {
  const { platform } = process;
  return {
    platform,
    env,
    cwd,
    isProgram: async (path) => {
      try {
        if (!(await stat(path)).isFile()) return false;
        if (platform !== 'win32') await access(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function foldersOf({ platform, env }: ProgramSearch): readonly string[] {
  if (platform !== 'win32') return (env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return (environmentVariable(env, 'PATH') ?? '').split(';').flatMap((folder) => {
    const unquoted = folder.trim().replace(/^"(.*)"$/, '$1');
    return unquoted === '' ? [] : [unquoted];
  });
}

/** A name with an extension is used unchanged; others get those of `PATHEXT`. */
function namesOnWindows(command: string, env: ProgramSearch['env']): readonly string[] {
  const extensions = (environmentVariable(env, 'PATHEXT') ?? usualExtensions)
    .split(';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => extension.startsWith('.'));
  const named = extensions.includes(win32.extname(command).toLowerCase());
  const completed = extensions.map((extension) => command + extension);
  return named ? [command, ...completed] : completed;
}
