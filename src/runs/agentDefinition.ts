import type { Threshold } from '../log/level';
import { isThreshold, thresholds } from '../log/level';
import type { JsonObject } from '../protocols/json';
import { isObject, objectOf } from '../protocols/json';
import type { AgentDefinition } from './launchSpec';

/** What the setting `agentLogs.agents` holds: the agents that can be started, and why others cannot. */
export interface AgentDefinitions {
  readonly agents: readonly AgentDefinition[];
  /** One message for each entry that is not used, with what to correct. */
  readonly problems: readonly string[];
}

/** Reads the setting; what is wrong with one entry leaves the others alone. Fields of other clients' own are passed over. */
export function agentDefinitions(setting: unknown): AgentDefinitions {
  const agents: AgentDefinition[] = [];
  const problems: string[] = [];
  if (setting !== undefined && setting !== null && !isObject(setting)) {
    return { agents, problems: ['agentLogs.agents must be an object: { "My Agent": { "command": "my-agent" } }.'] };
  }
  for (const [name, entry] of Object.entries(objectOf(setting))) {
    const problem = problemOf(entry);
    if (problem === undefined) agents.push(definitionOf(name, objectOf(entry)));
    else problems.push(`agentLogs.agents["${name}"]: ${problem}`);
  }
  return { agents, problems };
}

function problemOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'must be an object with a "command".';
  const { protocol = 'acp', command, args = [], env = {}, cwd, level } = entry;
  if (protocol !== 'acp') {
    return `"protocol" ${JSON.stringify(protocol)} is not known to this version; it speaks "acp".`;
  }
  if (typeof command !== 'string' || command.trim() === '') return '"command" must name the program to start.';
  if (!isTexts(args)) return '"args" must be a list of strings.';
  if (!isObject(env) || !isTexts(Object.values(env).filter((value) => value !== null))) {
    return '"env" must be an object of strings, or null to take a variable away.';
  }
  if (cwd !== undefined && typeof cwd !== 'string') return '"cwd" must be a path.';
  if (level !== undefined && !isThreshold(level)) return `"level" must be one of ${thresholds.join(', ')}.`;
  return undefined;
}

function definitionOf(name: string, entry: JsonObject): AgentDefinition {
  const { command, args, env, cwd, level } = entry;
  return {
    name,
    protocol: 'acp',
    command: command as string,
    args: (args ?? []) as readonly string[],
    env: (env ?? {}) as Readonly<Record<string, string | null>>,
    ...(cwd !== undefined && { cwd: cwd as string }),
    ...(level !== undefined && { level: level as Threshold }),
  };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
