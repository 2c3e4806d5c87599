import { basename, dirname, posix, win32 } from 'node:path';
import type { SaverId } from '../../agents/agents';
import { formOf } from '../../agents/agents';

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
 * @param own `agentLogs.savedSessions.folders` for this agent
 */
export function agentFolders(
  agent: SaverId,
  { platform, home, env, editor }: Machine,
  own?: string,
): readonly string[] {
  const path = platform === 'win32' ? win32 : posix;
  const expanded = (folder: string): string =>
    /^~(?=$|[/\\])/.test(folder) ? path.join(home, folder.slice(1)) : folder;
  const { roots, hasSeveralRoots = false } = formOf(agent);
  const candidates = roots.map(([base, ...names]) => {
    const folder = base === '~' ? base : base === 'editor' ? editor : env[base];
    return folder === undefined ? '' : path.join(expanded(folder), ...names);
  });
  // A relative path would depend on the folder that VS Code was started in.
  const chosen = expanded(own ?? '');
  if (path.isAbsolute(chosen)) return [chosen];
  const folders = candidates.filter((folder) => path.isAbsolute(folder));
  if (!hasSeveralRoots) return [folders[0] ?? home];
  // VS Code writes drive letters in lower case.
  const comparable = (folder: string): string => (platform === 'linux' ? folder : folder.toLowerCase());
  return [...new Map(folders.map((folder) => [comparable(folder), folder])).values()];
}

/** The `User` folder that an extension's global storage is in, also if it belongs to a profile. */
export function userFolder(globalStorage: string): string {
  const folder = dirname(dirname(globalStorage));
  return basename(dirname(folder)) === 'profiles' ? dirname(dirname(folder)) : folder;
}
