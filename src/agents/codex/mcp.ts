import type { McpForm } from '../mcpForm';
import { plainEntry } from '../mcpForm';

/** Tables `[mcp_servers.NAME]` of the project's and the user's settings (https://developers.openai.com/codex/mcp). */
export const mcp: McpForm = {
  files: [
    { place: { type: 'workspace' }, paths: [['.codex', 'config.toml']], syntax: 'toml', tables: [['mcp_servers']] },
    {
      place: { type: 'user', roots: [['CODEX_HOME'], ['~', '.codex']] },
      paths: [['config.toml']],
      syntax: 'toml',
      tables: [['mcp_servers']],
    },
  ],
  entry: { ...plainEntry, headers: ['http_headers'] },
};
