// @ts-check
import { resolve } from 'node:path';

/**
 * @typedef {object} CommandLine what of desktop VS Code's command line the npm VS Code understands; the rest means nothing to it
 * @property {string} extension the folder of the extension under test
 * @property {string} tests the module that exports `run()`
 * @property {string | undefined} folder the workspace to open, or a `.code-workspace` file
 * @property {string} userDataFolder
 */

/**
 * @param {string[]} args
 * @returns {CommandLine}
 */
export function readCommandLine(args) {
  /** @param {string} name */
  const values = (name) => args.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));
  const [extension, ...others] = values('extensionDevelopmentPath');
  const tests = values('extensionTestsPath')[0];
  const userDataFolder = values('user-data-dir')[0];
  if (extension === undefined || tests === undefined || userDataFolder === undefined) {
    throw new Error('--extensionDevelopmentPath=…, --extensionTestsPath=… and --user-data-dir=… are needed.');
  }
  // The workbench reads them from a map, so a second one would replace the first.
  if (others.length > 0) throw new Error('VS Code from npm can develop only one extension at a time.');
  const folder = args.find((arg) => !arg.startsWith('-'));
  return {
    extension: resolve(extension),
    tests: resolve(tests),
    folder: folder === undefined ? undefined : resolve(folder),
    userDataFolder: resolve(userDataFolder),
  };
}

/**
 * Query parameters that make a workbench run the tests.
 * @param {CommandLine} commandLine
 * @param {number} port
 * @returns {string} to append to the server's address
 */
export function testQuery({ extension, tests, folder }, port) {
  /** @param {string} path */
  const remote = (path) => `vscode-remote://127.0.0.1:${port}${encodeURI(path)}`;
  const payload = [
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(tests)],
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (folder !== undefined) query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  return `&${query.toString()}`;
}
