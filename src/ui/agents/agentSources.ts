import { homedir } from 'node:os';
import { findProgram, searchDisk } from '../../runs/process/findProgram';
import { foreignSetting } from '../configuration';
import { openFolders } from '../folders';
import type { AgentSources } from './agentChoices';
import { installation } from './catalogue';
import { agentsOf, agentsOfClients } from './otherClients';
import { workspaceServers } from './workspaceServers';

/** Where other extensions that are ACP clients keep their agents. */
const otherSetting = 'acp.agents';

/** Looks for agents that could be added: on the `PATH`, in the settings of other clients, in the workspace. Nothing is started. */
export async function agentSources(): Promise<AgentSources> {
  const machine = { platform: process.platform, env: process.env, home: homedir() };
  const [known, clients, workspace] = await Promise.all([
    installation(findOnPath),
    agentsOfClients(machine),
    workspaceServers(),
  ]);
  const extensions = agentsOf(foreignSetting(otherSetting), otherSetting);
  return { ...known, otherClients: [...extensions, ...clients], workspace };
}

/** The file of a program, as it would be started in this window. */
export function findOnPath(program: string): Promise<string | undefined> {
  const folder = openFolders()[0]?.path;
  return findProgram(program, searchDisk(process.env, folder ?? homedir()));
}
