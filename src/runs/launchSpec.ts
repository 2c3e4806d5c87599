import { isAbsolute, resolve } from 'node:path';
import type { Threshold } from '../log/level';
import { HumanError } from './humanError';

/** An agent as the setting `agentLogs.agents` describes it. */
export interface AgentDefinition {
  readonly name: string;
  readonly protocol: 'acp';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to our own environment; `null` takes a variable away. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** The level that the agent starts with, where it is not the general one. */
  readonly level?: Threshold;
}

/** What the variables in a definition stand for. */
export interface LaunchContext {
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is spawned: no shell, nothing left to expand. */
export interface LaunchSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/**
 * What to spawn for an agent. Substitutes `${workspaceFolder}`, `${userHome}` and `${env:NAME}` (empty where there is no such variable).
 * @throws HumanError where a variable is unknown or has no value here
 */
export function launchSpec(agent: AgentDefinition, context: LaunchContext): LaunchSpec {
  const expand = (text: string): string => substitute(text, agent.name, context);
  const base = context.workspaceFolder ?? context.userHome;
  const cwd = agent.cwd === undefined ? base : expand(agent.cwd);
  const command = expand(agent.command).trim();
  if (command === '') {
    throw new HumanError(`Agent "${agent.name}" has no command. Give one in agentLogs.agents.`, ['settings']);
  }
  return {
    command,
    args: agent.args.map(expand),
    env: environment(agent, context, expand),
    cwd: isAbsolute(cwd) ? cwd : resolve(base, cwd),
  };
}

function environment(
  agent: AgentDefinition,
  context: LaunchContext,
  expand: (text: string) => string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.env)) if (value !== undefined && !isOurs(name)) env[name] = value;
  for (const [name, value] of Object.entries(agent.env)) {
    if (value === null) Reflect.deleteProperty(env, name);
    else env[name] = expand(value);
  }
  return env;
}

/** Variables that VS Code sets for its own extension host; with them an agent that is an Electron or Node program behaves oddly. */
function isOurs(name: string): boolean {
  return /^(VSCODE_|ELECTRON_)/.test(name) || name === 'NODE_OPTIONS' || name === 'CODE_SERVER_PARENT_PID';
}

function substitute(text: string, agent: string, context: LaunchContext): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, variable: string) => {
    if (variable === 'userHome') return context.userHome;
    if (variable.startsWith('env:')) return context.env[variable.slice('env:'.length)] ?? '';
    if (variable !== 'workspaceFolder') {
      throw new HumanError(
        `Agent "${agent}" uses the unknown variable ${whole}. Known are \${workspaceFolder}, \${userHome} and \${env:NAME}.`,
        ['settings'],
      );
    }
    if (context.workspaceFolder !== undefined) return context.workspaceFolder;
    throw new HumanError(
      `Agent "${agent}" uses \${workspaceFolder}, but no folder is open. Open one, or give a path.`,
      ['settings'],
    );
  });
}
