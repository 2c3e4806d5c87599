import { homedir } from 'node:os';
import { expandPath } from '../../../machine/shellPath';
import { findProgram, searchDisk } from '../../../machine/findProgram';
import { foreignSetting } from '../configuration';
import { openFolders } from '../../kit/folders';
import type { AgentSources } from './agentChoices';
import type { KnownAgent } from '../../../agents/catalogue';
import { installation } from './catalogue';

/** The setting in which other ACP clients for VS Code keep their agents. */
const otherSetting = 'acp.agents';

/** Finds agents on the `PATH`, in the settings of other clients, and in the workspace, without starting any. */
export async function agentSources(): Promise<AgentSources> {
  const { agentsOf, agentsOfClients, workspaceServers } = await import('../../../mcpServers/otherClients');
  const machine = { platform: process.platform, env: process.env, home: homedir() };
  const [known, clients, workspace] = await Promise.all([
    installation(findOnPath),
    agentsOfClients(machine),
    workspaceServers(openFolders(), machine),
  ]);
  const extensions = agentsOf(foreignSetting(otherSetting), otherSetting);
  return { ...known, otherClients: [...extensions, ...clients], workspace };
}

/** The catalog's agents that are on the `PATH`. */
export async function installedAgents(): Promise<readonly KnownAgent[]> {
  return (await installation(findOnPath)).installed;
}

/** Resolves a program to the executable that this window would start. */
export function findOnPath(program: string): Promise<string | undefined> {
  const folder = openFolders()[0]?.path;
  const { platform, env } = process;
  const command = expandPath(program, { platform, env, userHome: homedir() });
  return findProgram(command, searchDisk(env, folder ?? homedir()));
}
