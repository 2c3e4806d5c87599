import type { McpForm } from '../mcpForm';
import { plainEntry, userJson, workspaceJson } from '../mcpForm';
import { shellVariables } from '../mcpVariables';

const lists = { allowed: ['mcp', 'allowed'], excluded: ['mcp', 'excluded'] } as const;

/** The project's and the user's settings (https://qwenlm.github.io/qwen-code-docs). */
export const mcp: McpForm = {
  files: [
    { ...workspaceJson('mcpServers', ['.qwen', 'settings.json']), ...lists },
    { ...userJson('mcpServers', [['QWEN_HOME'], ['~', '.qwen']], 'settings.json'), ...lists },
  ],
  entry: { ...plainEntry, urls: ['httpUrl', 'url'] },
  expand: shellVariables,
};
