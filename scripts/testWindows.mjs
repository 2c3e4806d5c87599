// @ts-check
// `npm run test:windows`: runs the unit tests in Node for Windows under Wine, on Linux. On Windows itself, `npm test` does.
//
//   npm run test:windows -- journal tap       only the test files with one of these in their names
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { repository } from './vscode/paths.mjs';
import { bundleTests } from './windows/bundleTests.mjs';
import { prepareWindows, windowsPath } from './windows/wine.mjs';

/**
 * @typedef {{ fullTitle: string, err: { message?: string, stack?: string } }} Failure
 * @typedef {{ stats: { passes: number, failures: number, pending: number }, failures: Failure[] }} Report
 */

const started = Date.now();
const folder = join(repository, 'out', 'windows');

/**
 * @param {import('./windows/wine.mjs').Windows} windows
 * @param {string} tests
 * @returns {Promise<Report | undefined>} nothing if mocha didn't get to its end
 */
async function runMocha({ wine, node, env }, tests) {
  const report = join(folder, 'report.json');
  const mocha = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--no-config', '--timeout', '60000', '--exit', '--reporter', 'json'];
  // Node's console can fail on a Linux pipe under Wine: files only.
  const output = createWriteStream(join(folder, 'output.txt'));
  await new Promise((resolve) => output.once('open', resolve));
  const child = spawn(
    wine,
    [node, mocha, ...options, '--reporter-option', `output=${windowsPath(report)}`, windowsPath(tests)],
    { cwd: repository, env: { ...env, AGENT_LOGS_BUNDLES: windowsPath(folder) }, stdio: ['ignore', output, output] },
  );
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  output.end();
  await finished(output);
  return existsSync(report) ? /** @type {Report} */ (JSON.parse(readFileSync(report, 'utf8'))) : undefined;
}

async function main() {
  if (process.platform !== 'linux') throw new Error('This runs on Linux, under Wine. On Windows, run npm test.');
  const windows = await prepareWindows();
  const tests = await bundleTests(folder, process.argv.slice(2));
  const report = await runMocha(windows, tests);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  if (!report) {
    console.log(readFileSync(join(folder, 'output.txt'), 'utf8').slice(-5000));
    throw new Error(`The tests broke off after ${seconds} s; the last of their output is above.`);
  }
  for (const [index, { fullTitle, err }] of report.failures.entries()) {
    console.log(`\n${index + 1}) ${fullTitle}\n${err.stack ?? err.message ?? 'no message'}`);
  }
  const { passes, failures, pending } = report.stats;
  console.log(`\nWindows (Wine): ${passes} passed, ${failures} failed, ${pending} skipped, in ${seconds} s.`);
  if (failures > 0) process.exitCode = 1;
}

main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
