// @ts-check
import { runTests } from '@vscode/test-electron';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { runWithTrust } from './desktop.mjs';
import { repository, screenshots } from './paths.mjs';
import { freePort } from './ports.mjs';
import { writeUserSettings } from './settings.mjs';
import { newest, oldest } from './versions.mjs';

/** For a launch that hangs: three to four times what the longest takes on two idle cores. VS Code from npm has its own, shorter limit. */
const timeLimitMs = 1_860_000;

/** @typedef {{ passed: number, failed: readonly string[] }} Results how many tests passed; the names of the others with their errors */

/** @typedef {import('@vscode/test-electron').TestOptions & { launchArgs: string[] }} Options */

/**
 * Runs the suites in a VS Code.
 * @param {import('./launches.mjs').Launch} launch
 * @param {string} compiled the folder of compiled suites
 * @param {string} temporary a folder for temporary data
 * @param {string | undefined} executable of a desktop VS Code; the one from npm without it
 * @returns {Promise<Results>}
 */
export async function runLaunch(launch, compiled, temporary, executable) {
  const folder = mkdtempSync(join(temporary, 'launch-'));
  const workspace = join(folder, 'bookshop');
  const userData = join(folder, 'user');
  const results = join(folder, 'results.json');
  // A copy: tests write settings.
  cpSync(join(repository, 'test', 'workspace'), workspace, { recursive: true });
  // Installs a second extension that uses the API, both where desktop VS Code and where VS Code from npm look.
  for (const extensions of [join(folder, 'extensions'), join(userData, 'extensions')]) {
    cpSync(join(repository, 'test', 'otherExtension'), join(extensions, 'agent-logs-test.other-1.0.0'), {
      recursive: true,
    });
  }

  /** @type {Options} */
  const options = {
    extensionDevelopmentPath: repository,
    extensionTestsPath: join(compiled, 'index.js'),
    stdout: linesOf(launch.name, process.stdout),
    stderr: linesOf(launch.name, process.stderr),
    launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${join(folder, 'extensions')}`],
    extensionTestsEnv: {
      AGENT_LOGS_SUITES: JSON.stringify(launch.suites.map((suite) => join(compiled, suite))),
      AGENT_LOGS_RESULTS: results,
      AGENT_LOGS_SCREENSHOTS: screenshots,
      ...(process.argv.includes('--nightly') && { AGENT_LOGS_NIGHTLY: '1' }),
      XDG_STATE_HOME: join(folder, 'state'), // not the developer's own tap journals
    },
  };
  const tooLate = setTimeout(() => {
    console.error(`The launch didn't end within ${timeLimitMs / 1000} s.`);
    process.emit('SIGINT'); // ends VS Code
  }, timeLimitMs);
  try {
    if (executable === undefined) await runNpm(launch, options, temporary);
    else await runDesktop(launch, options, executable, userData);
  } catch (error) {
    // If tests failed, the reporter has printed more than this.
    if (!existsSync(results)) console.error(error instanceof Error ? error.message : error);
  } finally {
    clearTimeout(tooLate);
  }
  return readResults(results);
}

/**
 * @param {import('./launches.mjs').Launch} launch
 * @param {Options} options
 * @param {string} temporary
 */
async function runNpm(launch, options, temporary) {
  // For sockets and browser files. A short path, because those of sockets are limited to about 100 characters.
  const tmp = join(temporary, 'tmp');
  mkdirSync(tmp, { recursive: true });
  await runTests({
    ...options,
    vscodeExecutablePath: join(import.meta.dirname, 'npmVsCode.mjs'),
    extensionTestsEnv: {
      ...options.extensionTestsEnv,
      AGENT_LOGS_VSCODE_VERSION: (launch.end === 'oldest' ? oldest : newest).version,
      AGENT_LOGS_LANGUAGE: launch.language,
      AGENT_LOGS_TRUST: launch.trusted ? '0' : '1',
      TMPDIR: tmp,
    },
  });
}

/**
 * @param {import('./launches.mjs').Launch} launch
 * @param {Options} options
 * @param {string} executable
 * @param {string} userData
 */
async function runDesktop(launch, options, executable, userData) {
  writeUserSettings(userData);
  const port = await freePort();
  const withPort = {
    ...options,
    vscodeExecutablePath: executable,
    launchArgs: [...options.launchArgs, `--remote-debugging-port=${port}`],
    extensionTestsEnv: { ...options.extensionTestsEnv, AGENT_LOGS_CDP: `http://127.0.0.1:${port}` },
  };
  if (launch.trusted) await runTests(withPort);
  else await runWithTrust(withPort);
}

/**
 * Marks each line with the launch that printed it: two may run at once.
 * @param {string} name
 * @param {NodeJS.WriteStream} out
 * @returns {PassThrough}
 */
function linesOf(name, out) {
  const stream = new PassThrough();
  createInterface({ input: stream }).on('line', (line) => out.write(`${name} ${line}\n`));
  return stream;
}

/**
 * @param {string} file
 * @returns {Results}
 */
function readResults(file) {
  if (!existsSync(file)) return { passed: 0, failed: ['The launch ended without a result.'] };
  /** @type {unknown} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const results = /** @type {Results} */ (report);
  return results.passed + results.failed.length > 0 ? results : { passed: 0, failed: ['The launch ran no tests.'] };
}
