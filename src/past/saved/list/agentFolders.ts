import { basename, dirname, posix, win32 } from 'node:path';
import type { SaverId } from '../../../agents/agents';
import { formOf } from '../../../agents/agents';
import type { SavedRoot } from '../../../agents/savedRoot';

/** The parts of the environment that determine where agents save their sessions. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `User` folder of the VS Code that runs this, if one does. */
  readonly editor?: string;
}

/**
 * The folders under which an agent saves its sessions: from the user's setting, the agent's environment variables, or its defaults
 * in the home folder. Usually one; if an agent has several, those that don't exist are among them.
 * @param own `agentLogs.savedSessions.folders` for this agent: a folder or several
 */
export function agentFolders(agent: SaverId, machine: Machine, own?: string | readonly string[]): readonly string[] {
  const { platform, home } = machine;
  const { roots, otherRoots = [], hasSeveralRoots = false } = formOf(agent);
  const path = pathsOf(machine);
  const given = typeof own === 'string' ? [own] : (own ?? []);
  // A relative path would depend on the folder that VS Code was started in.
  const chosen = given.map((folder) => inHome(folder, machine)).filter((folder) => path.isAbsolute(folder));
  if (chosen.length > 0) return [...new Set(chosen.map((folder) => path.resolve(folder)))];
  const folders = rootFolders(roots, machine);
  if (!hasSeveralRoots) {
    const isMoved = folders.length > roots.filter(([base]) => base === '~').length;
    return [folders[0] ?? home, ...(isMoved ? [] : rootFolders(otherRoots, machine))];
  }
  // VS Code writes drive letters in lower case.
  const comparable = (folder: string): string => (platform === 'linux' ? folder : folder.toLowerCase());
  return [...new Map(folders.map((folder) => [comparable(folder), folder])).values()];
}

/** The folders of those roots whose base is set. */
export function rootFolders(roots: readonly SavedRoot[], machine: Machine): readonly string[] {
  const { env, editor } = machine;
  const path = pathsOf(machine);
  return roots
    .map(([base, ...names]) => {
      const folder = base === '~' ? base : base === 'editor' ? editor : env[base];
      return folder === undefined ? '' : path.join(inHome(folder, machine), ...names);
    })
    .filter((folder) => path.isAbsolute(folder));
}

function inHome(folder: string, machine: Machine): string {
  return /^~(?=$|[/\\])/.test(folder) ? pathsOf(machine).join(machine.home, folder.slice(1)) : folder;
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** The `User` folder that an extension's global storage is in, also if it belongs to a profile. */
export function userFolder(globalStorage: string): string {
  const folder = dirname(dirname(globalStorage));
  return basename(dirname(folder)) === 'profiles' ? dirname(dirname(folder)) : folder;
}
