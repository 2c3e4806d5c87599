import { HumanError } from './humanError';
import type { LaunchContext, ProcessDefinition } from './launchSpec';
import { inputsOf, launchSpec } from './launchSpec';

/** Where a command for the tap is to be pasted. */
export type TapTarget = 'zed' | 'jetbrains' | 'shell';

export interface TapCommand {
  readonly name: string;
  readonly words: readonly string[];
  /** What the agent is given beside the environment of whoever starts it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * An agent's command line behind the tap, with nothing left to expand.
 * @param cli the path of `agent-logs`
 * @throws HumanError where the agent asks for something at each start, or uses a variable that has no value here
 */
export function tapCommand(agent: ProcessDefinition, context: LaunchContext, cli: string): TapCommand {
  const [input] = inputsOf(agent);
  if (input !== undefined) {
    throw new HumanError(`${agent.name} asks for \${input:${input}} at each start, which another client cannot.`);
  }
  const { command, args, env } = launchSpec(agent, context);
  // A client that speaks ACP says so with its first message.
  const protocol = agent.protocol === 'acp' ? [] : ['--protocol', agent.protocol];
  const given = Object.keys(agent.env).flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // What begins with a dash would be taken for an option of its own.
  const name = agent.name.startsWith('-') ? [`--name=${agent.name}`] : ['--name', agent.name];
  const words = ['node', cli, 'tap', ...name, ...protocol, '--', command, ...args];
  return { name: agent.name, words, env: Object.fromEntries(given) };
}

/** The same, in the form of the place where it is pasted; for a shell, of a POSIX one. */
export function tapText(target: TapTarget, { name, words, env }: TapCommand): string {
  const [command = '', ...args] = words;
  switch (target) {
    case 'zed':
      return JSON.stringify({ agent_servers: { [name]: { type: 'custom', command, args, env } } }, null, 2);
    case 'jetbrains':
      return JSON.stringify({ agent_servers: { [name]: { command, args, env } } }, null, 2);
    case 'shell':
      return [...Object.entries(env).map(([key, value]) => `${key}=${quoted(value)}`), ...words.map(quoted)].join(' ');
  }
}

/** A word that any POSIX shell takes as it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
