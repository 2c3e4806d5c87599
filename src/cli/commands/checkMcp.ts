import { parsed } from '../options';
import type { TerminalCommand } from '../terminalCommand';

export interface CheckMcpOptions {
  /** The names of the servers; all that are switched on if there are none. */
  readonly servers: readonly string[];
  readonly json: boolean;
}

const options = { json: { type: 'boolean' } } as const;

export const checkMcp: TerminalCommand<'check-mcp', CheckMcpOptions> = {
  name: 'check-mcp',
  synopsis: '[--json] [SERVER...]',
  options,
  help: `check-mcp starts the MCP servers of this folder and user once, as VS Code, Claude Code, Codex
and others have them in their settings, and reports how long each takes, what it has, how
much of a context its tools take, and tools that providers refuse or that look hostile. Only
lists and ping are asked for, each server gets a minute, and nothing logs in. A server that
runs behind the tap isn't started again. The tap's journals also tell how often its tools
failed and how long they took. SERVER is its name in the settings. The exit code is 0, 1 if a
server failed or has errors, or 2 if there is nothing to check.

  --json             one JSON object`,
  parse,
  run: async (given, { open }) => (await import('../checkMcpCommand')).checkMcp(given, await open()),
};

function parse(words: readonly string[]): CheckMcpOptions {
  const { values, positionals } = parsed(words, options);
  return { servers: positionals, json: values.json ?? false };
}
