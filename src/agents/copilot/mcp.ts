import type { McpForm } from '../mcpForm';
import { plainEntry, userJson } from '../mcpForm';
import { bracedVariables } from '../mcpVariables';

/** Its own servers (https://code.visualstudio.com/docs/agents/reference/mcp-configuration). It also reads `.mcp.json`. */
export const mcp: McpForm = {
  files: [userJson('mcpServers', [['COPILOT_HOME'], ['~', '.copilot']], 'mcp-config.json')],
  entry: { ...plainEntry, fixed: { type: 'local', tools: ['*'] } },
  expand: bracedVariables,
};
