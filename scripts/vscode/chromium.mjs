// @ts-check
// Finds or installs the browser for VS Code from npm.
import { chromium } from 'playwright-core';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isExecutable, run, step, which } from './exec.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * @returns {Promise<string>} the path of an installed Chromium
 */
export async function chromiumPath() {
  const configured = process.env['AGENT_LOGS_CHROMIUM'];
  if (configured !== undefined && configured !== '') {
    if (isExecutable(configured)) return configured;
    throw new Error(`AGENT_LOGS_CHROMIUM is ${configured}, which doesn't exist or can't be run.`);
  }
  return findInstalled() ?? (await installChromium());
}

/** @returns {string | undefined} */
function findInstalled() {
  const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(which);
  return [...onPath, ...usualPlaces, chromium.executablePath()].find(
    (path) => path !== undefined && path !== '' && isExecutable(path),
  );
}

/** @returns {Promise<string>} */
async function installChromium() {
  /** @type {string[]} */
  const failures = [];
  for (const [what, work] of waysToInstall()) {
    try {
      await step(`Installing Chromium with ${what}`, work);
      const path = findInstalled();
      if (path !== undefined) return path;
      failures.push(`${what}: it was installed, but not found`);
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    'The npm VS Code is shown by a Chromium, and none was found or could be installed. ' +
      'Install chromium or google-chrome, or name one with AGENT_LOGS_CHROMIUM.\n' +
      failures.join('\n'),
  );
}

/** @returns {[string, () => Promise<void>][]} */
function waysToInstall() {
  /** @type {[string, () => Promise<void>][]} */
  const ways = [['playwright-core', installWithPlaywright]];
  const apt = which('apt-get');
  if (apt !== undefined && process.getuid?.() === 0) ways.unshift(['apt-get', () => installWithApt(apt)]);
  return ways;
}

/** @param {string} apt */
async function installWithApt(apt) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run(apt, ['update'], { env });
  await run(apt, ['install', '-y', '--no-install-recommends', 'chromium'], { env });
}

async function installWithPlaywright() {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  await run(process.execPath, [cli, 'install', 'chromium']);
}
