import { posix, win32 } from 'node:path';
import type { SaverId } from '../../agents/agents';
import { formOf } from '../../agents/agents';

/** The parts of the environment that determine where agents save their sessions. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The folder under which an agent saves its sessions: from the user's setting, the agent's environment variables, or its default
 * in the home folder, which is the same on all platforms.
 * @param own `agentLogs.savedSessions.folders` for this agent
 */
export function agentFolder(agent: SaverId, { platform, home, env }: Machine, own?: string): string {
  const path = platform === 'win32' ? win32 : posix;
  const expanded = (folder: string): string =>
    /^~(?=$|[/\\])/.test(folder) ? path.join(home, folder.slice(1)) : folder;
  const candidates = formOf(agent).roots.map(([base, ...names]) => {
    const folder = base === '~' ? base : env[base];
    return folder === undefined ? '' : path.join(expanded(folder), ...names);
  });
  // A relative path would depend on the folder that VS Code was started in.
  return [expanded(own ?? ''), ...candidates].find((folder) => path.isAbsolute(folder)) ?? home;
}
