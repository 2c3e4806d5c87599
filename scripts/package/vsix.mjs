// @ts-check
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { run } from '../vscode/exec.mjs';
import { namedFiles } from './namedFiles.mjs';

/** The earliest time that a zip file can name, where there is no commit to ask. */
const noCommit = '315532800';

/** Builds what is packaged. */
export async function buildProduction() {
  await run(process.execPath, [join('scripts', 'build.mjs'), '--production']);
}

/**
 * Packages what is built: from the same commit and with the same Node, the same bytes on any Linux or macOS.
 * @param {string} out the VSIX
 * @param {{ version?: string }} [options] a version that is not the one of package.json: for tests of upgrades
 * @returns {Promise<string>} what vsce said
 */
export async function makeVsix(out, { version = ownVersion() } = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'agent-logs-stage-'));
  try {
    fill(stage);
    return await run(process.execPath, [resolve('node_modules/@vscode/vsce/vsce'), ...flags(version, resolve(out))], {
      cwd: stage,
      env: await steadyEnvironment(),
    });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Copies what is named: vsce would look at every file that lies about here, for half a minute. And a zip file keeps the modes, which
 * depend on the umask of whoever cloned and built.
 * @param {string} stage
 */
function fill(stage) {
  for (const file of ['.vscodeignore', ...namedFiles().flatMap(({ files }) => files)]) {
    const copy = join(stage, file);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
    chmodSync(copy, 0o644);
  }
}

/**
 * @param {string} version
 * @param {string} out
 */
function flags(version, out) {
  const own = [
    'package',
    version,
    '--no-update-package-json',
    '--no-git-tag-version',
    '--no-dependencies',
    '--out',
    out,
  ];
  // The README's pictures and links are those of this version, also when a later one has others.
  own.push('--githubBranch', `v${version}`);
  return isPreRelease(version) ? [...own, '--pre-release'] : own;
}

/**
 * An odd minor is a pre-release, as VS Code advises: a marketplace knows only versions of three numbers.
 * @param {string} version
 */
export function isPreRelease(version) {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** @returns {string} */
export function ownVersion() {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  return /** @type {{ version: string }} */ (manifest).version;
}

/**
 * vsce writes times as they are in the time zone, and sorts files as the language has it.
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function steadyEnvironment() {
  const time = process.env['SOURCE_DATE_EPOCH'] ?? (await commitTime());
  return { ...process.env, SOURCE_DATE_EPOCH: time, TZ: 'UTC', LC_ALL: 'C' };
}

/** @returns {Promise<string>} */
async function commitTime() {
  const printed = await run('git', ['log', '-1', '--format=%ct']).catch(() => noCommit);
  return printed.trim();
}
