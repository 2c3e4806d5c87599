// @ts-check
import { runTests } from '@vscode/test-electron';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWithTrust } from './desktop.mjs';
import { repository, screenshots } from './paths.mjs';
import { freePort } from './ports.mjs';
import { writeUserSettings } from './settings.mjs';
import { newest, oldest } from './versions.mjs';

/** The npm VS Code has a limit of its own, below this one. */
const timeLimitMs = 660_000;

/** @typedef {{ passed: number, failed: number, notPassed: string[] }} Counts the paths of the suites that failed, or were not run to their end */

/** @typedef {import('@vscode/test-electron').TestOptions & { launchArgs: string[] }} Options */

/**
 * Starts a VS Code, lets it run the suites, and counts.
 * @param {import('./launches.mjs').Launch} launch
 * @param {string} compiled the folder of compiled suites
 * @param {string} temporary a folder for whatever is written
 * @param {string | undefined} executable of a desktop VS Code; the one from npm without it
 * @returns {Promise<Counts>}
 */
export async function runLaunch(launch, compiled, temporary, executable) {
  const folder = mkdtempSync(join(temporary, 'launch-'));
  const workspace = join(folder, 'bookshop');
  const userData = join(folder, 'user');
  const results = join(folder, 'results.json');
  // A copy: tests write settings.
  cpSync(join(repository, 'test', 'workspace'), workspace, { recursive: true });
  // A second extension, installed as any other, which uses the API: where the desktop VS Code looks, and where the one from npm does.
  for (const extensions of [join(folder, 'extensions'), join(userData, 'extensions')]) {
    cpSync(join(repository, 'test', 'otherExtension'), join(extensions, 'agent-logs-test.other-1.0.0'), {
      recursive: true,
    });
  }

  /** @type {Options} */
  const options = {
    extensionDevelopmentPath: repository,
    extensionTestsPath: join(compiled, 'index.js'),
    launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${join(folder, 'extensions')}`],
    extensionTestsEnv: {
      AGENT_LOGS_SUITES: JSON.stringify(launch.suites.map((suite) => join(compiled, suite))),
      AGENT_LOGS_RESULTS: results,
      AGENT_LOGS_SCREENSHOTS: screenshots,
      XDG_STATE_HOME: join(folder, 'state'), // what the taps of whoever runs this have written is theirs
    },
  };
  const tooLate = setTimeout(() => {
    console.error(`This launch did not end within ${timeLimitMs / 1000} s.`);
    process.emit('SIGINT'); // what ends VS Code, whichever it is
  }, timeLimitMs);
  try {
    if (executable === undefined) await runNpm(launch, options, temporary);
    else await runDesktop(launch, options, executable, userData);
  } catch (error) {
    // Where tests failed, the reporter has said more than this.
    if (!existsSync(results)) console.error(error instanceof Error ? error.message : error);
  } finally {
    clearTimeout(tooLate);
  }
  return readCounts(results, launch.suites);
}

/**
 * @param {import('./launches.mjs').Launch} launch
 * @param {Options} options
 * @param {string} temporary
 */
async function runNpm(launch, options, temporary) {
  // Sockets, and what the browser and its drivers leave: a short path, because a socket's may have only some 100 characters.
  const tmp = join(temporary, 'tmp');
  mkdirSync(tmp, { recursive: true });
  await runTests({
    ...options,
    vscodeExecutablePath: join(import.meta.dirname, 'npmVsCode.mjs'),
    extensionTestsEnv: {
      ...options.extensionTestsEnv,
      AGENT_LOGS_VSCODE_VERSION: (launch.end === 'oldest' ? oldest : newest).version,
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
 * @param {string} results
 * @param {string[]} suites
 * @returns {Counts}
 */
function readCounts(results, suites) {
  if (!existsSync(results)) {
    console.error('This launch ended without a result.');
    return { passed: 0, failed: 1, notPassed: suites };
  }
  /** @type {unknown} */
  const report = JSON.parse(readFileSync(results, 'utf8'));
  const counts = /** @type {Counts} */ (report);
  if (counts.passed + counts.failed > 0) return counts;
  console.error('This launch ran no test at all.');
  return { passed: 0, failed: 1, notPassed: suites };
}
