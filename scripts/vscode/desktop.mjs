// @ts-check
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { spawn } from 'node:child_process';
import { oldest } from './versions.mjs';

/** @typedef {Record<'oldest' | 'newest', string>} Executables of desktop VS Code */

/**
 * Decides which VS Code the tests run in, and gets the desktop one if it is that.
 * @returns {Promise<{ desktop: Executables | undefined, why: string }>} no `desktop` means: the one from npm
 */
export async function chooseHost() {
  const wish = process.env['AGENT_LOGS_HOST'] ?? '';
  if (!['', 'npm', 'desktop'].includes(wish)) throw new Error(`AGENT_LOGS_HOST is desktop or npm, not ${wish}.`);
  if (wish === 'npm') return { desktop: undefined, why: 'AGENT_LOGS_HOST asks for it' };

  const mayUseNpm = wish === '' && process.platform === 'linux';
  if (mayUseNpm && (process.env['DISPLAY'] ?? '') === '') {
    return { desktop: undefined, why: 'there is no DISPLAY for the desktop one' };
  }
  try {
    const desktop = {
      oldest: await downloadAndUnzipVSCode(oldest.version),
      newest: await downloadAndUnzipVSCode('stable'),
    };
    return { desktop, why: wish === '' ? 'it could be downloaded' : 'AGENT_LOGS_HOST asks for it' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!mayUseNpm) throw new Error(`Desktop VS Code could not be downloaded: ${reason}`, { cause: error });
    return { desktop: undefined, why: `the desktop one could not be downloaded (${reason})` };
  }
}

/**
 * Runs tests in desktop VS Code with workspace trust left on, which `runTests` of @vscode/test-electron always turns off.
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
      else reject(new Error(`VS Code ended with ${code ?? signal}`));
    });
  });
}
