import type { McpForm } from '../mcpForm';
import { plainEntry, userJson, workspaceJson } from '../mcpForm';
import { shellVariables } from '../mcpVariables';

const lists = { allowed: ['mcp', 'allowed'], excluded: ['mcp', 'excluded'] } as const;

/** The project's and the user's settings (https://geminicli.com/docs/tools/mcp-server). */
export const mcp: McpForm = {
  files: [
    { ...workspaceJson('mcpServers', ['.gemini', 'settings.json']), ...lists },
    {
      ...userJson(
        'mcpServers',
        [
          ['GEMINI_CLI_HOME', '.gemini'],
          ['~', '.gemini'],
        ],
        'settings.json',
      ),
      ...lists,
    },
  ],
  entry: { ...plainEntry, urls: ['httpUrl', 'url'] },
  expand: shellVariables,
};
