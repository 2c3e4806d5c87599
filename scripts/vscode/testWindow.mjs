// @ts-check
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { screenshots } from './paths.mjs';
import { passOn } from './testConsole.mjs';

/**
 * Opens the URL of a workbench that runs tests, and waits for their end.
 * @param {import('playwright-core').Page} page
 * @param {import('./server.mjs').Server} server
 * @param {{ query: string, version: string, timeLimit: number }} options the limit is in seconds
 * @returns {Promise<number>} the exit code
 */
export async function runTestsIn(page, server, { query, version, timeLimit }) {
  const output = passOn();
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => resolve(code));
  });
  await page.exposeFunction('codeAutomationLog', output.receive);
  // On a busy machine, it is loaded late.
  await page.goto(server.url + query, { waitUntil: 'commit', timeout: timeLimit * 1000 });

  const outcome = await Promise.race([
    exited,
    whenClosed(page),
    server.ended.then((why) => `the VS Code server is gone: ${why}`),
    delay(timeLimit * 1000, `the tests did not end within ${timeLimit} s`, { ref: false }),
  ]);
  if (typeof outcome === 'number') return outcome;
  output.printRest();
  await explain(page, version, outcome);
  return 1;
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string>}
 */
function whenClosed(page) {
  return new Promise((resolve) => {
    page.on('crash', () => resolve('the page with VS Code crashed'));
    page.on('close', () => resolve('the page with VS Code was closed'));
  });
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} version
 * @param {string} why
 */
async function explain(page, version, why) {
  console.error(`VS Code ${version}: ${why}.`);
  const path = join(screenshots, `hang-${version}.png`);
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path, timeout: 10_000 }).then(
    () => console.error(`Screenshot of the window: ${path}`),
    () => console.error("Couldn't take a screenshot of the window."),
  );
}
