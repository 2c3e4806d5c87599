import type { SavedRoot } from '../savedRoot';

/** The names of VS Code's builds, and of editors made from it, in the folder for settings. */
const programs = ['Code', 'Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Cursor', 'Windsurf'];
/** The folders of their servers, for windows that are connected to this machine. */
const servers = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server', '.windsurf-server'];

/** `User` folders on all platforms; those that exist count. */
export const roots: readonly SavedRoot[] = [
  ['editor'],
  ['VSCODE_PORTABLE', 'user-data', 'User'],
  ['VSCODE_AGENT_FOLDER', 'data', 'User'],
  ...programs.flatMap((name): SavedRoot[] => [
    ['VSCODE_APPDATA', name, 'User'],
    ['APPDATA', name, 'User'],
    ['~', 'Library', 'Application Support', name, 'User'],
    ['XDG_CONFIG_HOME', name, 'User'],
    ['~', '.config', name, 'User'],
  ]),
  ...servers.map((name): SavedRoot => ['~', name, 'data', 'User']),
  ['~', '.local', 'share', 'code-server', 'User'],
  ['~', '.var', 'app', 'com.visualstudio.code', 'config', 'Code', 'User'], // Flatpak
];
