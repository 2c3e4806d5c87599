import type { McpForm } from '../mcpForm';
import { userJson, workspaceJson } from '../mcpForm';
import { editorVariables } from '../mcpVariables';

/** Of the editor and its CLI (https://cursor.com/docs/mcp). */
export const mcp: McpForm = {
  client: 'Cursor',
  files: [workspaceJson('mcpServers', ['.cursor', 'mcp.json']), userJson('mcpServers', [['~', '.cursor']], 'mcp.json')],
  expand: editorVariables,
};
