import type { Level } from '../../text/level';
import type { Protocol } from '../../wire/protocol';
import { levelOf, onlyOne, parsed, protocolOf } from '../options';
import type { TerminalCommand } from '../terminalCommand';

export interface TailOptions {
  readonly file: string;
  readonly follow: boolean;
  readonly level: Level;
  readonly session?: string;
  readonly json: boolean;
  readonly protocol?: Protocol;
}

const options = {
  follow: { type: 'boolean', short: 'f' },
  level: { type: 'string' },
  session: { type: 'string' },
  json: { type: 'boolean' },
  protocol: { type: 'string' },
} as const;

export const tail: TerminalCommand<'tail', TailOptions> = {
  name: 'tail',
  synopsis: '[options] FILE|SESSION',
  options,
  help: `tail prints what an agent logged: a journal, the NDJSON that an agent's command line writes
(stream-json), a session that an agent saved, or the log of any program. FILE may be - for
standard input. SESSION is the id, or the end of the id, of a saved session.

  -f, --follow       go on as the file grows, until the run has ended
  --level LEVEL      this level and above (default: info)
  --session SESSION  one session only, by its title or the end of its id; needed for
                     databases (OpenCode, Kilo Code, goose)
  --json             one JSON object to a line
  --protocol P       for a file that does not say: acp, mcp, lsp or stream-json`,
  parse,
  run: async (given, { open }) => (await import('../tailCommand')).tail(given, await open()),
};

function parse(words: readonly string[]): TailOptions {
  const { values, positionals } = parsed(words, options);
  const file = onlyOne(positionals, 'Name the file to print, or - for standard input.', 'file');
  const protocol = protocolOf(values.protocol);
  const { session } = values;
  return {
    file,
    follow: values.follow ?? false,
    level: levelOf(values.level) ?? 'info',
    ...(session !== undefined && { session }),
    json: values.json ?? false,
    ...(protocol !== undefined && { protocol }),
  };
}
