// @ts-check
// `npm run test:windows`: runs the unit tests in Node for Windows under Wine, on Linux, then end-to-end scenarios on both systems, and
// compares the results. On Windows itself, run `npm test`.
//
//   npm run test:windows -- journal tap       only the test files with one of these in their names; endToEnd: only the comparison
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mocha from '../.mocharc.cjs';
import { step } from './vscode/exec.mjs';
import { repository } from './vscode/paths.mjs';
import { bundlePrograms, bundleTests, testRooms } from './windows/bundleTests.mjs';
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
  rmSync(report, { force: true });
  const program = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--no-config', '--timeout', String(mocha.timeout), '--exit', '--reporter', 'json'];
  const args = [
    windows.node,
    program,
    ...options,
    '--reporter-option',
    `output=${windowsPath(report)}`,
    windowsPath(tests),
  ];
  await runInWine(windows, args, { AGENT_LOGS_BUNDLES: windowsPath(folder) }, join(folder, 'output.txt'));
  return existsSync(report) ? /** @type {Report} */ (JSON.parse(readFileSync(report, 'utf8'))) : undefined;
}

/**
 * Runs one room after the other, and tells each as it ends: a run that is ended early, or whose room is cut off, has its other results.
 * @param {import('./windows/wine.mjs').Windows} windows
 * @param {readonly string[]} wanted parts of the names of test files; none for all
 * @returns {Promise<boolean>} whether all passed
 */
async function runUnitTests(windows, wanted) {
  rmSync(folder, { recursive: true, force: true });
  await bundlePrograms(folder);
  const total = { passes: 0, failures: 0, pending: 0 };
  const cutOff = [];
  for (const [room, files] of testRooms(wanted)) {
    const report = await step(room, async () => runMocha(windows, await bundleTests(folder, files)));
    if (!report) {
      cutOff.push(room);
      console.log(
        `  It was cut off. Its last output:\n${readFileSync(join(folder, 'output.txt'), 'utf8').slice(-5000)}`,
      );
      continue;
    }
    for (const { fullTitle, err } of report.failures) {
      console.log(`\n  failed: ${fullTitle}\n${err.stack ?? err.message ?? 'no message'}\n`);
    }
    for (const { fullTitle } of report.pending) console.log(`  skipped: ${fullTitle}`);
    const { passes, failures, pending } = report.stats;
    console.log(`  ${passes} passed, ${failures} failed, ${pending} skipped`);
    total.passes += passes;
    total.failures += failures;
    total.pending += pending;
  }
  console.log(`\nWindows (Wine): ${total.passes} passed, ${total.failures} failed, ${total.pending} skipped.`);
  if (cutOff.length > 0) console.log(`Cut off: ${cutOff.join(', ')}.`);
  return total.failures === 0 && cutOff.length === 0;
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
