import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

/** Where and how programs are looked for. */
export interface ProgramSearch {
  /** As `process.platform`. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths begin, an absolute path. */
  readonly cwd: string;
  readonly isProgram: (path: string) => Promise<boolean>;
}

/** What Windows has where `PATHEXT` is not set. */
const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a command names: the command itself if it is a path, else the first of that name in the folders of the `PATH`. On Windows the
 * extensions of `PATHEXT` are tried in their order; unlike there, the current folder is not searched.
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

/** Searches the disk. A file that may not be executed is no program, except on Windows, which has no such permission. */
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
  return (variable(env, 'PATH') ?? '').split(';').flatMap((folder) => {
    const unquoted = folder.trim().replace(/^"(.*)"$/, '$1');
    return unquoted === '' ? [] : [unquoted];
  });
}

/** A name with an extension is that file; one without gets those of `PATHEXT`. */
function namesOnWindows(command: string, env: ProgramSearch['env']): readonly string[] {
  const extensions = (variable(env, 'PATHEXT') ?? usualExtensions)
    .split(';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => extension.startsWith('.'));
  const named = extensions.includes(win32.extname(command).toLowerCase());
  const completed = extensions.map((extension) => command + extension);
  return named ? [command, ...completed] : completed;
}

/** Windows does not tell `Path` from `PATH`; a copy of its environment does. */
function variable(env: ProgramSearch['env'], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
