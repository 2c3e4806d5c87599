import type { AgentDefinition, LaunchContext, RunDefinition } from '../../live/config/launchSpec';
import { inputsOf, isRemote, runSpec } from '../../live/config/launchSpec';
import { HumanError } from '../../text/humanError';
import type { ServerStart } from '../configuredServers';
import type { CheckTarget } from './checkTarget';

/** Who starts them. */
const client = { id: 'agent-logs', label: 'Agent Logs' };
const setting = 'agentLogs.agents';

/** The MCP servers among the agents of the settings. Left out are those that can't be started, for example because a variable has no value. */
export function ownServers(
  agents: readonly AgentDefinition[],
  contextOf: (agent: AgentDefinition) => LaunchContext,
): readonly CheckTarget[] {
  return agents.flatMap((agent) => {
    if ('replay' in agent || agent.protocol !== 'mcp') return [];
    const asksUser = inputsOf(agent).length > 0;
    const found = asksUser ? asWritten(agent, contextOf(agent)) : expanded(agent, contextOf(agent));
    if (!found) return [];
    const { name, folder } = agent;
    const own = { name, label: name, clients: [client], file: setting, asksUser, ...found };
    return [folder === undefined ? own : { ...own, folder }];
  });
}

/** It isn't started: what its last run says is found by its name and command. */
function asWritten(
  agent: RunDefinition,
  { workspaceFolder, userHome }: LaunchContext,
): Pick<CheckTarget, 'start' | 'cwd'> {
  const start: ServerStart =
    'url' in agent
      ? { type: 'http', transport: 'http', url: agent.url, headers: {} }
      : { type: 'process', command: agent.command, args: agent.args, env: {} };
  return { start, cwd: workspaceFolder ?? userHome };
}

function expanded(agent: RunDefinition, context: LaunchContext): Pick<CheckTarget, 'start' | 'cwd'> | undefined {
  try {
    const spec = runSpec(agent, context);
    const { cwd } = spec;
    if (isRemote(spec)) {
      return { start: { type: 'http', transport: 'http', url: spec.url, headers: spec.headers }, cwd };
    }
    const { command, args, env } = spec;
    const added = 'env' in agent ? Object.keys(agent.env) : [];
    const own = added.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
    return { start: { type: 'process', command, args, env: Object.fromEntries(own) }, cwd };
  } catch (error) {
    if (error instanceof HumanError) return undefined;
    throw error;
  }
}
