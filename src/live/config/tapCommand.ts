import { t } from '../../text/translator';
import { HumanError } from '../../text/humanError';
import type { LaunchContext, ProcessDefinition } from './launchSpec';
import { envVariablesOf, inputsOf, launchSpec } from './launchSpec';
import { posixWord } from './commandLine';
import { tapWords } from './tapWords';
import { canBeSecret, isNamedSecret, secretWords } from '../process/secretsOfStart';

/** Where a tap command will be pasted. */
export type TapTarget = 'zed' | 'jetbrains' | 'shell';

export interface TapCommand {
  readonly name: string;
  readonly words: readonly string[];
  /** Variables that the agent gets in addition to the environment of the process that starts it. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the secrets in it: variables, and options or arguments of the agent. For a warning when it is copied. */
  readonly secrets: readonly string[];
}

/**
 * An agent's command line with the tap in front, with all variables expanded.
 * @param cli the path of `agent-logs`
 * @throws HumanError if the agent asks for something at each start, or uses a variable that has no value here
 */
export function tapCommand(agent: ProcessDefinition, context: LaunchContext, cli: string): TapCommand {
  const [input] = inputsOf(agent);
  if (input !== undefined) {
    throw new HumanError(
      t("{0} asks for {1} at each start, which other clients can't do.", agent.name, `\${input:${input}}`),
    );
  }
  const { command, args, env } = launchSpec(agent, context);
  const given = Object.keys(agent.env).flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // The tap inherits its environment, and gets only the names of the variables to redact.
  const secretEnv = given.filter(([, value]) => canBeSecret(value)).map(([variable]) => variable);
  // An ACP client identifies itself with its first message.
  const { name, protocol } = agent;
  const front = tapWords({ name, secretEnv, ...(protocol !== 'acp' && { protocol }) });
  const words = ['node', cli, ...front, command, ...args];
  const secrets = secretsIn(given, args, envVariablesOf(agent), context.env);
  return { name: agent.name, words, env: Object.fromEntries(given), secrets };
}

/**
 * The names of the secrets in an expanded command.
 * @param given the variables of the agent's `env`
 * @param used the variables that its definition refers to
 */
function secretsIn(
  given: readonly (readonly [name: string, value: string])[],
  args: readonly string[],
  used: readonly string[],
  env: LaunchContext['env'],
): readonly string[] {
  const variables = [...given, ...used.map((name) => [name, env[name] ?? ''] as const)]
    .filter(([name, value]) => value !== '' && isNamedSecret(name, value))
    .map(([name]) => name);
  const options = secretWords(args).map((index) => optionOf(args, index));
  return [...new Set([...variables, ...options])];
}

/** A label for a command-line word that doesn't reveal it. */
function optionOf(args: readonly string[], index: number): string {
  const option = /^(-[^=]*)=/.exec(args[index] ?? '')?.[1] ?? args[index - 1];
  return option?.startsWith('-') === true ? option : `argument ${index + 1}`;
}

/** Formats the command for the place where it will be pasted; for a shell, in POSIX syntax. */
export function tapText(target: TapTarget, { name, words, env }: TapCommand): string {
  const [command = '', ...args] = words;
  switch (target) {
    case 'zed':
      return JSON.stringify({ agent_servers: { [name]: { type: 'custom', command, args, env } } }, null, 2);
    case 'jetbrains':
      return JSON.stringify({ agent_servers: { [name]: { command, args, env } } }, null, 2);
    case 'shell':
      return [
        ...Object.entries(env).map(([key, value]) => `${key}=${posixWord(value)}`),
        ...words.map((word) => posixWord(word)),
      ].join(' ');
  }
}
