import { parsed } from '../options';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

export interface McpOptions {
  /** A folder with journals beside those of taps. */
  readonly journals?: string;
}

const options = { journals: { type: 'string' } } as const;

export const mcp: TerminalCommand<'mcp', McpOptions> = {
  name: 'mcp',
  synopsis: '[--journals DIR]',
  options,
  help: `mcp is an MCP server over stdio for agents: they list runs and saved sessions, read their
records and turns, ask for their problems with cause, evidence and advice, compare them, and
check MCP servers by their recordings. Nothing is written or started. Secrets are redacted. To
add it to an agent, use "Add to an Agent…" in VS Code, or the agent's own settings.

  --journals DIR     also list the journals of this folder`,
  parse,
  run: async (given, { open }) => (await import('../mcpCommand')).mcp(given, await open()),
};

function parse(words: readonly string[]): McpOptions {
  const { values, positionals } = parsed(words, options);
  const [stray] = positionals;
  if (stray !== undefined) throw new UsageError(`"${stray}" is no option of "mcp".`);
  const { journals } = values;
  if (journals === '') throw new UsageError('Give --journals the path of a folder.');
  return { ...(journals !== undefined && { journals }) };
}
