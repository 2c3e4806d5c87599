import type { McpForm } from '../mcpForm';
import { plainEntry, userJson, workspaceJson } from '../mcpForm';
import type { SavedRoot } from '../savedRoot';

/** Where Zed keeps its settings (https://zed.dev/docs/configuring-zed). */
const zedFolders: readonly SavedRoot[] = [
  ['APPDATA', 'Zed'],
  ['FLATPAK_XDG_CONFIG_HOME', 'zed'],
  ['XDG_CONFIG_HOME', 'zed'],
  ['~', '.config', 'zed'],
];

/** `context_servers` of the settings (https://zed.dev/docs/ai/mcp). Older versions nest the fields in `command`. */
export const mcp: McpForm = {
  files: [
    workspaceJson('context_servers', ['.zed', 'settings.json']),
    userJson('context_servers', zedFolders, 'settings.json'),
  ],
  entry: {
    ...plainEntry,
    fixed: { source: 'custom' },
    commands: [
      { type: 'split', command: ['command'], args: ['args'] },
      { type: 'split', command: ['command', 'path'], args: ['command', 'args'] },
    ],
  },
};
