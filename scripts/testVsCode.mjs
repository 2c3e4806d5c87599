// @ts-check
// `npm run test:vscode`: runs the suites inside the oldest supported and the newest VS Code.
//
//   npm run test:vscode -- journal --newest   only suites with "journal" in their names, only in the newest version
//   npm run test:vscode -- journeys --german  the journeys in German
//   npm run test:vscode -- --nightly          everything, in both versions, axe in four themes
//   AGENT_LOGS_SEED=…                         another order of the suites (default: always the same, and nightly another)
//   AGENT_LOGS_HOST=desktop|npm               which VS Code (default: desktop if it can be downloaded, otherwise from npm on Linux)
//   AGENT_LOGS_WINDOWS=1                      one window of the VS Code from npm at a time (default: 2)
//   AGENT_LOGS_VERBOSE=1                      also prints everything VS Code logs
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from './vscode/chromium.mjs';
import { chooseHost } from './vscode/desktop.mjs';
import { forgetOuterVsCode } from './vscode/environment.mjs';
import { run } from './vscode/exec.mjs';
import { install } from './vscode/install.mjs';
import { describeLaunch, findSuites, planLaunches, seedOf, shuffled, windowsAtOnce } from './vscode/launches.mjs';
import { repository } from './vscode/paths.mjs';
import { runLaunch } from './vscode/runLaunch.mjs';
import { newest, oldest } from './vscode/versions.mjs';

let running = 0;
let interrupted = false;

const compiled = join(repository, 'out', 'suites');

/** @typedef {import('./vscode/launches.mjs').Launch} Launch */

/** @returns {Promise<import('./vscode/runLaunch.mjs').Results>} */
async function runAll() {
  const seed = seedOf(process.env['AGENT_LOGS_SEED'], process.argv.includes('--nightly'));
  const suites = shuffled(findSuites(compiled), seed);
  console.log(`Order of the suites: AGENT_LOGS_SEED=${seed}`);
  const windows = windowsAtOnce(process.env['AGENT_LOGS_WINDOWS']);
  const { desktop, why } = await chooseHost();
  const planned = planLaunches(suites, process.argv.slice(2), { desktop: desktop !== undefined });
  // The desktop VS Code would need a language pack.
  const launches = planned.filter(({ language }) => !desktop || language === 'en');
  console.log(`VS Code: the ${desktop ? 'desktop one' : 'one from npm'}, because ${why}.`);
  if (!desktop) await prepareNpm(launches);

  const temporary = mkdtempSync(join(tmpdir(), 'agent-logs-test-'));
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
  let passed = 0;
  /** @type {string[]} */
  const failed = [];
  const work = launches.map((launch) => async () => {
    const version = launch.end === 'oldest' ? oldest.version : desktop ? 'stable' : newest.version;
    const where = `${launch.language === 'en' ? '' : `in ${launch.language}, `}workspace ${launch.trusted ? '' : 'not '}trusted`;
    console.log(
      `\n${launch.name}: the ${launch.end} version (${version}), ${where}\n${describeLaunch(launch, launches, suites)}`,
    );
    // Before the time limit of the launch starts, and while another window is busy.
    if (!desktop && launch.end === 'oldest') await install(oldest);
    const started = Date.now();
    const results = await runLaunch(launch, compiled, temporary, desktop?.[launch.end]);
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    const all = results.passed + results.failed.length;
    console.log(`\n${launch.name}: ${results.passed} of ${all} passed, in ${seconds} s`);
    passed += results.passed;
    failed.push(...results.failed.map((test) => `${launch.name}: ${test}`));
    if (interrupted) throw new Error('Interrupted.');
  });
  if (!desktop && process.argv.length <= 2) work.push(runDatabaseTests);
  // Desktop windows would take each other's focus and clipboard. A VS Code from npm has a browser of its own.
  await runAtOnce(desktop ? 1 : windows, work);
  if (passed + failed.length === 0) throw new Error('No tests ran.');
  return { passed, failed };
}

/**
 * Runs pieces of work in their order, some at once.
 * @param {number} atOnce
 * @param {(() => Promise<void>)[]} work
 */
async function runAtOnce(atOnce, work) {
  const next = async () => {
    for (let piece = work.shift(); piece; piece = work.shift()) {
      running++;
      await piece().finally(() => running--);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Runs the unit tests that need SQLite with the Node of VS Code: the one that runs this may not have it. */
async function runDatabaseTests() {
  const { node } = await install(newest);
  const mocha = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const names = ['database/*', 'sqlite', 'everyAgent', 'list/usedTokens'];
  const tests = names.map((name) => `test/unit/past/saved/${name}.test.ts`);
  const output = await run(node, [mocha, ...tests], { cwd: repository });
  console.log(`Databases, with SQLite: ${/\d+ passing/.exec(output)?.[0] ?? 'nothing ran'}`);
}

/**
 * Installs what most launches need before the first begins.
 * @param {Launch[]} launches
 */
async function prepareNpm(launches) {
  await chromiumPath();
  if (launches.some(({ end }) => end === 'newest')) await install(newest);
}

forgetOuterVsCode();
// The launch ends its VS Code on SIGINT, so wait for it.
process.on('SIGTERM', () => process.emit('SIGINT'));
process.on('SIGINT', () => {
  interrupted = true;
  if (running === 0) process.exit(130);
});

try {
  const { passed, failed } = await runAll();
  // Once more, and last: where only the end of the output is kept, it says what failed.
  for (const test of failed) console.log(`\n${test}`);
  console.log(`\n${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
