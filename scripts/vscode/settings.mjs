// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A quiet window: nothing in it but the extension, and nothing asked of the internet. */
const quiet = {
  'agentLogs.savedSessions.show': false, // whoever runs the tests may have some
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false, // the ports of the window's own browser would be offered
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.layoutControl.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Writes them, unless there are settings already.
 * @param {string} userDataFolder of desktop VS Code, or the `data` folder of a server
 */
export function writeUserSettings(userDataFolder) {
  const file = join(userDataFolder, 'User', 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(quiet, undefined, 2)}\n`);
}
