import type { McpForm } from '../mcpForm';
import { workspaceJson, workspaceKey } from '../mcpForm';
import { bracedVariables } from '../mcpVariables';

/** `.mcp.json`, and the servers of the user, which may be for one project (https://code.claude.com/docs/en/mcp). */
export const mcp: McpForm = {
  files: [
    workspaceJson('mcpServers', ['.mcp.json']),
    {
      place: { type: 'user', roots: [['CLAUDE_CONFIG_DIR'], ['~']] },
      paths: [['.claude.json']],
      syntax: 'json',
      tables: [['projects', workspaceKey, 'mcpServers'], ['mcpServers']],
    },
  ],
  expand: bracedVariables,
};
