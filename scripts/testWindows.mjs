// @ts-check
// `npm run test:windows`: runs the unit tests in Node for Windows under Wine, on Linux, then end-to-end scenarios on both systems, and
// compares the results. On Windows itself, run `npm test`.
//
//   npm run test:windows -- journal tap       only the test files with one of these in their names; endToEnd: only the comparison
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './vscode/paths.mjs';
import { bundlePrograms, bundleTests } from './windows/bundleTests.mjs';
import { compareEndToEnd } from './windows/endToEnd.mjs';
import { prepareWindows, runInWine, windowsPath } from './windows/wine.mjs';

/**
 * @typedef {{ fullTitle: string, err: { message?: string, stack?: string } }} Failure
 * @typedef {{ stats: { passes: number, failures: number, pending: number }, failures: Failure[], pending: { fullTitle: string }[] }} Report
 */

const folder = join(repository, 'out', 'windows');

/**
 * @param {import('./windows/wine.mjs').Windows} windows
 * @param {string} tests
 * @returns {Promise<Report | undefined>} `undefined` if mocha was cut off
 */
async function runMocha(windows, tests) {
  const report = join(folder, 'report.json');
  const mocha = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--no-config', '--timeout', '60000', '--exit', '--reporter', 'json'];
  const args = [
    windows.node,
    mocha,
    ...options,
    '--reporter-option',
    `output=${windowsPath(report)}`,
    windowsPath(tests),
  ];
  await runInWine(windows, args, { AGENT_LOGS_BUNDLES: windowsPath(folder) }, join(folder, 'output.txt'));
  return existsSync(report) ? /** @type {Report} */ (JSON.parse(readFileSync(report, 'utf8'))) : undefined;
}

/**
 * @param {import('./windows/wine.mjs').Windows} windows
 * @param {readonly string[]} wanted parts of the names of test files; none for all
 * @returns {Promise<boolean>} whether all passed
 */
async function runUnitTests(windows, wanted) {
  const started = Date.now();
  const report = await runMocha(windows, await bundleTests(folder, wanted));
  if (!report) {
    console.log(readFileSync(join(folder, 'output.txt'), 'utf8').slice(-5000));
    throw new Error('The tests were cut off. Their last output is above.');
  }
  for (const [index, { fullTitle, err }] of report.failures.entries()) {
    console.log(`\n${index + 1}) ${fullTitle}\n${err.stack ?? err.message ?? 'no message'}`);
  }
  for (const { fullTitle } of report.pending) console.log(`  skipped: ${fullTitle}`);
  const { passes, failures, pending } = report.stats;
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.log(`\nWindows (Wine): ${passes} passed, ${failures} failed, ${pending} skipped, in ${seconds} s.`);
  return failures === 0;
}

/**
 * @param {import('./windows/wine.mjs').Windows} windows
 * @returns {Promise<boolean>} whether both systems behave the same
 */
async function runEndToEnd(windows) {
  await bundlePrograms(folder);
  const { same, different, skipped } = await compareEndToEnd(windows, folder);
  console.log(`\nEnd to end: ${same} as on Linux, ${different} different, ${skipped} skipped.`);
  return different === 0;
}

async function main() {
  if (process.platform !== 'linux') throw new Error('This runs on Linux, under Wine. On Windows, run npm test.');
  const wanted = process.argv.slice(2);
  const names = wanted.filter((name) => name !== 'endToEnd');
  const windows = await prepareWindows();
  const onlyEndToEnd = wanted.length > 0 && names.length === 0;
  const units = onlyEndToEnd || (await runUnitTests(windows, names));
  const endToEnd = names.length > 0 || (await runEndToEnd(windows));
  if (!units || !endToEnd) process.exitCode = 1;
}

main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
