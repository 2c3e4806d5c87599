// @ts-check
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isPreRelease } from '../release/notes.mjs';
import { run } from '../vscode/exec.mjs';
import { namedFiles } from './namedFiles.mjs';

/** The earliest time in a zip file, for builds without a commit. In seconds. */
const noCommit = '315532800';

/** Builds the extension for packaging. */
export async function buildProduction() {
  await run(process.execPath, [join('scripts', 'build.mjs'), '--production']);
}

/**
 * Packages the build. The same commit and Node version give the same bytes on any Linux or macOS.
 * @param {string} out the path of the VSIX
 * @param {{ version?: string }} [options] overrides the version of package.json, for tests of upgrades
 * @returns {Promise<string>} the output of vsce
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
 * Copies the listed files, because vsce would scan the whole repository for half a minute. Sets their modes, which end up in the zip file
 * and depend on the umask.
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
  // Pictures and links of the README stay those of this version.
  own.push('--githubBranch', `v${version}`);
  return isPreRelease({ version, changelog: ownChangelog() }) ? [...own, '--pre-release'] : own;
}

/** @returns {string} */
export function ownChangelog() {
  return readFileSync('CHANGELOG.md', 'utf8');
}

/** @returns {string} */
export function ownVersion() {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  return /** @type {{ version: string }} */ (manifest).version;
}

/**
 * The output of vsce depends on the time zone and the locale.
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
