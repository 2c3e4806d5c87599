import type { McpForm } from '../mcpForm';
import { userJson, workspaceJson } from '../mcpForm';
import { editorVariables } from '../mcpVariables';

/** Its servers of the workspace, and those of the user's profile (https://code.visualstudio.com/docs/agents/reference/mcp-configuration). */
export const mcp: McpForm = {
  client: 'VS Code',
  files: [workspaceJson('servers', ['.vscode', 'mcp.json']), userJson('servers', [['editor']], 'mcp.json')],
  expand: editorVariables,
};
