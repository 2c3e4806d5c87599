// @ts-check
import { join } from 'node:path';
import { run } from './exec.mjs';
import { install } from './install.mjs';
import { usualFolders } from './server.mjs';

/**
 * Runs `--install-extension` and similar commands in VS Code from npm.
 * @param {import('./versions.mjs').NpmVsCode} pinned one that starts itself
 * @param {string} dataFolder that of the server
 * @param {string[]} args
 * @returns {Promise<string>} its output
 */
export async function extensionCommand(pinned, dataFolder, args) {
  const { node, vscode } = await install(pinned);
  const folders = Object.entries(usualFolders(dataFolder)).flatMap(([name, value]) => [`--${name}`, value]);
  return run(node, [join(vscode, 'out', 'server-main.js'), '--accept-server-license-terms', ...folders, ...args]);
}
