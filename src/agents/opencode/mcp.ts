import type { McpForm } from '../mcpForm';
import { plainEntry } from '../mcpForm';

const tables = [['mcp'], ['mcp', 'servers']] as const;
const names = ['opencode.json', 'opencode.jsonc'] as const;

/** Version 1 has servers in `mcp` (https://opencode.ai/v1/docs/mcp-servers), version 2 in `mcp.servers` (https://opencode.ai/v2/docs/mcp-servers). */
export const mcp: McpForm = {
  files: [
    {
      place: { type: 'workspace' },
      paths: names.flatMap((name) => [[name], ['.opencode', name]]),
      syntax: 'json',
      tables,
    },
    {
      place: {
        type: 'user',
        roots: [
          ['XDG_CONFIG_HOME', 'opencode'],
          ['~', '.config', 'opencode'],
        ],
      },
      paths: names.map((name) => [name]),
      syntax: 'json',
      tables,
    },
  ],
  entry: {
    ...plainEntry,
    commands: [{ type: 'list', path: ['command'] }],
    env: ['environment'],
    fixed: { type: 'local' },
  },
  expand: (text, { env }) => text.replace(/\{env:([^}]+)\}/g, (_, name: string) => env[name] ?? ''),
};
