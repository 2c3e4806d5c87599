// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Settings for a quiet window: only the extension, and no internet access. */
const quiet = {
  'agentLogs.savedSessions.show': false, // the developer's machine may have some
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false, // it would offer the ports of the window's own browser
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.layoutControl.enabled': false,
  'workbench.quickOpen.closeOnFocusLost': false, // what was opened before may take the focus late
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Writes the settings, unless the file exists.
 * @param {string} userDataFolder of desktop VS Code, or the `data` folder of a server
 */
export function writeUserSettings(userDataFolder) {
  const file = join(userDataFolder, 'User', 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(quiet, undefined, 2)}\n`);
}
