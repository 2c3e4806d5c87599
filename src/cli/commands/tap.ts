import { basename } from 'node:path';
import type { Level } from '../../text/level';
import type { Protocol } from '../../wire/protocol';
import { levelOf, parsed, protocolOf } from '../options';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

export interface TapOptions {
  readonly name: string;
  /** Default: detected from the messages. */
  readonly protocol?: Protocol;
  readonly level?: Level;
  readonly journal?: string;
  readonly folder?: string;
  /** The names of environment variables whose values are secret. */
  readonly secretEnv?: readonly string[];
  /** A file of checks for the run. */
  readonly check?: string;
  readonly command: readonly string[];
}

const options = {
  name: { type: 'string' },
  protocol: { type: 'string' },
  level: { type: 'string' },
  journal: { type: 'string' },
  folder: { type: 'string' },
  'secret-env': { type: 'string' },
  check: { type: 'string' },
} as const;

export const tap: TerminalCommand<'tap', TapOptions> = {
  name: 'tap',
  synopsis: '[options] -- COMMAND [ARGUMENT...]',
  options,
  help: `tap runs an agent for another client, and keeps a journal of what the two say to each
other. Every byte passes as it is; exit code and signals are the agent's own. VS Code
windows with Agent Logs show the run live, if its journal is where they look for it: in
the state folder of this user.

  --name NAME        what the agent is called in the logs (default: the command's name)
  --protocol P       acp, mcp, lsp or stream-json (default: what the first messages are)
  --level LEVEL      ask the agent for logs of this level and above, where the client does
                     not; the client does not get them (ACP only)
  --folder DIR       where the journal goes, if not to the state folder; old journals in
                     DIR are deleted (30 days, 1 GiB)
  --secret-env NAMES environment variables, separated by commas, whose values are kept
                     out of the journal; those with names such as API_KEY always are
  --journal FILE     write the journal to this file, or behind the journal that it is; a
                     file that is there keeps its permissions
  --check FILE       check the run while it is recorded, and report on stderr; exit with 1 if
                     the agent exits with 0 and a check fails`,
  parse,
  run: async (given, running) => (await import('../tap/tap')).tap(given, running),
};

function parse(words: readonly string[]): TapOptions {
  const split = words.indexOf('--');
  const { values, positionals } = parsed(split < 0 ? words : words.slice(0, split), options);
  const command = split < 0 ? [] : words.slice(split + 1);
  const [stray] = positionals;
  if (stray !== undefined) throw new UsageError(`"${stray}" is no option. The agent's command goes after " -- ".`);
  const [program] = command;
  if (program === undefined || program === '') throw new UsageError('Give the agent\'s command after " -- ".');
  const { name, journal, folder, 'secret-env': secretEnv, check } = values;
  if (journal === '') throw new UsageError('Give --journal the path of a file.');
  if (folder === '') throw new UsageError('Give --folder the path of a folder.');
  if (check === '') throw new UsageError('Give --check the path of a file of checks.');
  if (journal !== undefined && folder !== undefined) throw new UsageError('Give --journal or --folder, not both.');
  const level = levelOf(values.level);
  const protocol = protocolOf(values.protocol) ?? (level === undefined ? undefined : 'acp');
  if (level !== undefined && protocol !== 'acp') {
    throw new UsageError(`--level declares logging in ACP's way; there is none for ${protocol}. Leave it out.`);
  }
  return {
    name: name === undefined || name.trim() === '' ? basename(program) : name,
    ...(protocol !== undefined && { protocol }),
    ...(level !== undefined && { level }),
    ...(journal !== undefined && { journal }),
    ...(folder !== undefined && { folder }),
    ...(secretEnv !== undefined && { secretEnv: secretEnv.split(',').filter((variable) => variable !== '') }),
    ...(check !== undefined && { check }),
    command,
  };
}
