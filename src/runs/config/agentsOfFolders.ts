import type { AgentDefinitions } from './agentDefinition';
import { agentDefinitions } from './agentDefinition';
import type { AgentDefinition, NamedFolder } from './launchSpec';

/** The settings of a workspace folder. */
export interface FolderSettings extends NamedFolder {
  /** The unchecked value of `agentLogs.agents`. */
  readonly setting: unknown;
}

/** Merges the agents of each folder with the general ones. An agent whose name is taken gets its folder's name added. */
export function agentsOfFolders(general: AgentDefinitions, folders: readonly FolderSettings[]): AgentDefinitions {
  const agents = [...general.agents];
  const problems = [...general.problems];
  const hints = [...general.hints];
  for (const { name, path, setting } of folders) {
    const own = agentDefinitions(setting);
    for (const agent of own.agents) agents.push({ ...named(agent, name, agents), folder: path });
    problems.push(...own.problems);
    hints.push(...own.hints);
  }
  return { agents, problems, hints };
}

function named(agent: AgentDefinition, folder: string, others: readonly AgentDefinition[]): AgentDefinition {
  const isTaken = (name: string): boolean => others.some((other) => other.name === name);
  if (!isTaken(agent.name)) return agent;
  const name = `${agent.name} (${folder})`;
  for (let number = 2; ; number++) {
    const free = number === 2 ? name : `${name} ${number - 1}`;
    if (!isTaken(free)) return { ...agent, name: free };
  }
}
