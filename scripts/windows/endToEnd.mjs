// @ts-check
// Compares end-to-end scenarios (test/endToEnd) on Linux and under Wine.
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run, which } from '../vscode/exec.mjs';
import { repository } from '../vscode/paths.mjs';
import { bundleForWindows } from './bundleTests.mjs';
import { runInWine, windowsPath } from './wine.mjs';

/**
 * @typedef {import('../../test/endToEnd/scenario.ts').Report} Report
 * @typedef {import('../../test/endToEnd/scenario.ts').ScenarioResult} ScenarioResult
 */

/**
 * Runs every scenario on both systems and prints the differences.
 * @param {import('./wine.mjs').Windows} windows
 * @param {string} folder has the bundled programs
 * @returns {Promise<{ same: number, different: number, skipped: number }>}
 */
export async function compareEndToEnd(windows, folder) {
  const program = join(folder, 'endToEnd.cjs');
  await bundleForWindows(["import './test/endToEnd/main.ts';"], program);
  const commands = await makeCommands(join(folder, 'commands'));
  const linux = join(folder, 'linux.json');
  const wined = join(folder, 'wine.json');
  for (const report of [linux, wined]) rmSync(report, { force: true });
  await run(process.execPath, [program, linux, commands], {
    cwd: repository,
    env: { ...process.env, AGENT_LOGS_BUNDLES: folder },
  });
  const output = join(folder, 'endToEnd.txt');
  const args = [windows.node, program, windowsPath(wined), windowsPath(commands)];
  await runInWine(windows, args, { AGENT_LOGS_BUNDLES: windowsPath(folder) }, output);
  if (!existsSync(wined)) throw new Error(`The scenarios were cut off under Wine:\n${readFileSync(output, 'utf8')}`);
  return compare(readReport(linux), readReport(wined));
}

/**
 * @param {Report} linux
 * @param {Report} wine
 */
function compare(linux, wine) {
  const counts = { same: 0, different: 0, skipped: 0 };
  for (const [name, expected] of Object.entries(linux)) {
    const actual = wine[name];
    if (actual?.type === 'skipped') {
      counts.skipped++;
      console.log(`  skipped under Wine: ${name} (${actual.reason})`);
    } else if (expected.type === 'played' && JSON.stringify(actual) === JSON.stringify(expected)) counts.same++;
    else {
      counts.different++;
      console.log(`\n  ${name}\n${indented('Linux', expected)}\n${indented('Wine', actual)}`);
    }
  }
  return counts;
}

/**
 * @param {string} system
 * @param {ScenarioResult | undefined} result
 */
function indented(system, result) {
  const lines = result?.type === 'played' ? result.lines : [JSON.stringify(result)];
  return [`    ${system}:`, ...lines.map((line) => `      ${line}`)].join('\n');
}

/**
 * `npmAgent` as npm installs commands (with npm's own cmd-shim), and `batchAgent`, a batch file and a shell script of the same name.
 * @param {string} folder
 */
async function makeCommands(folder) {
  mkdirSync(folder, { recursive: true });
  const script = join(repository, 'test', 'endToEnd', 'logsArguments.mjs');
  const npm = which('npm');
  if (npm === undefined) throw new Error('npm is not on PATH.');
  const requireOfNpm = createRequire(join(dirname(realpathSync(npm)), '..', 'package.json'));
  /** @type {unknown} */
  const module = requireOfNpm('cmd-shim');
  const cmdShim = /** @type {(from: string, to: string) => Promise<void>} */ (module);
  await cmdShim(script, join(folder, 'npmAgent'));
  writeFileSync(join(folder, 'batchAgent.cmd'), `@echo off\r\nnode "${windowsPath(script)}" %*\r\n`);
  writeFileSync(join(folder, 'batchAgent'), `#!/bin/sh\nexec node "${script}" "$@"\n`);
  for (const name of ['npmAgent', 'batchAgent']) chmodSync(join(folder, name), 0o755);
  return folder;
}

/** @param {string} file */
function readReport(file) {
  /** @type {unknown} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return /** @type {Report} */ (report);
}
