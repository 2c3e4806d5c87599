// @ts-check
// `npm start`: opens VS Code with the extension, a sample workspace, and the sample agent already logging. Uses desktop VS Code if
// `code` is on the PATH, otherwise VS Code from npm, in a browser.
//
//   AGENT_LOGS_HOST=desktop|npm   which of the two
//   PORT=8123                     the port for VS Code from npm (default: any free one)
//
// Its data is in .vscode-test/start/. Delete that to start over.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { forgetOuterVsCode } from './vscode/environment.mjs';
import { which } from './vscode/exec.mjs';
import { cache, repository } from './vscode/paths.mjs';
import { endAll } from './vscode/processes.mjs';
import { startServer } from './vscode/server.mjs';
import { newest } from './vscode/versions.mjs';

const folder = join(cache, 'start');
const extensions = [repository, join(repository, 'test', 'starter')];

/** Finds the `code` command of a desktop VS Code that can open a window. */
function findDesktop() {
  const wish = process.env['AGENT_LOGS_HOST'];
  const code = which('code');
  if (wish === 'npm') return undefined;
  if (wish === 'desktop') {
    if (code === undefined) throw new Error('AGENT_LOGS_HOST is desktop, but `code` is not on the PATH.');
    return code;
  }
  // In the terminal of a remote VS Code, `code` talks to that window and can't develop an extension.
  if (process.env['VSCODE_IPC_HOOK_CLI'] !== undefined) return undefined;
  if (process.platform === 'linux') {
    const canShow = (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== '';
    if (!canShow || process.getuid?.() === 0) return undefined; // VS Code refuses to run as root
  }
  return code;
}

/** Copies the sample workspace once, so that changes stay out of the repository. */
function prepareWorkspace() {
  const workspace = join(folder, 'bookshop');
  cpSync(join(repository, 'test', 'workspace'), workspace, { recursive: true, force: false });
  return workspace;
}

/**
 * @param {string} code
 * @param {string} workspace
 */
function openDesktop(code, workspace) {
  const args = ['--new-window', ...extensions.map((path) => `--extensionDevelopmentPath=${path}`), workspace];
  const isWindows = process.platform === 'win32'; // `code` is a batch file there, which only a shell runs
  const child = spawn(
    isWindows ? `"${code}"` : code,
    args.map((arg) => (isWindows ? `"${arg}"` : arg)),
    { stdio: 'inherit', shell: isWindows },
  );
  child.on('error', (error) => {
    console.error(`Could not run ${code}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (exitCode) => {
    if (exitCode === 0) console.log('Agent Logs is open in a new window of VS Code.');
    process.exitCode = exitCode ?? 1;
  });
}

/**
 * Installs the extensions as links, so that a plain URL opens a window with them.
 * @returns {string} the extensions folder for VS Code
 */
function linkExtensions() {
  const installed = join(folder, 'extensions');
  rmSync(installed, { recursive: true, force: true }); // only links, and a list that VS Code regenerates
  mkdirSync(installed, { recursive: true });
  for (const path of extensions) {
    /** @type {unknown} */
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const { publisher, name, version } = /** @type {Record<string, string>} */ (manifest);
    symlinkSync(path, join(installed, `${publisher}.${name}-${version}`), 'dir');
  }
  return installed;
}

/** @param {string} workspace */
async function serve(workspace) {
  forgetOuterVsCode();
  const server = await startServer({
    pinned: newest,
    dataFolder: folder,
    flags: {
      'extensions-dir': linkExtensions(),
      'default-folder': workspace,
      'disable-workspace-trust': true,
      port: process.env['PORT'] ?? '0',
    },
  });
  console.log(
    `\nAgent Logs in VS Code ${newest.version}, for this machine only:\n\n  ${server.url}\n\nCtrl-C ends it.`,
  );
  console.error(`The VS Code server ended: ${await server.ended}`);
  await endAll(1);
}

try {
  const workspace = prepareWorkspace();
  const desktop = findDesktop();
  if (desktop !== undefined) openDesktop(desktop, workspace);
  else await serve(workspace);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await endAll(1);
}
