// @ts-check
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { spawn } from 'node:child_process';
import { oldest } from './versions.mjs';

/** @typedef {Record<'oldest' | 'newest', string>} Executables of desktop VS Code */

/**
 * Decides which VS Code the tests run in, and downloads desktop VS Code if needed.
 * @returns {Promise<{ desktop: Executables | undefined, why: string }>} without `desktop`, use VS Code from npm
 */
export async function chooseHost() {
  const host = process.env['AGENT_LOGS_HOST'] ?? '';
  if (!['', 'npm', 'desktop'].includes(host)) throw new Error(`AGENT_LOGS_HOST must be desktop or npm, not ${host}.`);
  if (host === 'npm') return { desktop: undefined, why: 'AGENT_LOGS_HOST is npm' };

  const mayUseNpm = host === '' && process.platform === 'linux';
  if (mayUseNpm && (process.env['DISPLAY'] ?? '') === '') {
    return { desktop: undefined, why: 'there is no DISPLAY for the desktop one' };
  }
  try {
    const desktop = {
      oldest: await downloadAndUnzipVSCode(oldest.version),
      newest: await downloadAndUnzipVSCode('stable'),
    };
    return { desktop, why: host === '' ? 'it could be downloaded' : 'AGENT_LOGS_HOST is desktop' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!mayUseNpm) throw new Error(`Couldn't download desktop VS Code: ${reason}`, { cause: error });
    return { desktop: undefined, why: `the desktop one could not be downloaded (${reason})` };
  }
}

/**
 * Runs tests in desktop VS Code with workspace trust, which `runTests` of @vscode/test-electron always disables.
 * @param {import('@vscode/test-electron').TestOptions & { vscodeExecutablePath: string, launchArgs: string[] }} options
 * @returns {Promise<void>}
 */
export function runWithTrust({ vscodeExecutablePath, launchArgs, ...options }) {
  const args = [
    ...launchArgs,
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    `--extensionTestsPath=${options.extensionTestsPath}`,
    ...[options.extensionDevelopmentPath].flat().map((path) => `--extensionDevelopmentPath=${path}`),
  ];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.extensionTestsEnv };
    const child = spawn(vscodeExecutablePath, args, { env, stdio: 'inherit' });
    const stop = () => child.kill();
    process.once('SIGINT', stop);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', stop);
      if (code === 0) resolve();
      else reject(new Error(`VS Code exited with ${code ?? signal}`));
    });
  });
}
