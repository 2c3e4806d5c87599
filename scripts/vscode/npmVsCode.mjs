#!/usr/bin/env node
// @ts-check
// A VS Code to @vscode/test-electron: takes the command line that it passes to desktop VS Code, and runs the tests in the one from npm.
//
//   AGENT_LOGS_VSCODE_VERSION  which of the pinned versions (default: the newest)
//   AGENT_LOGS_TRUST=1         leaves workspace trust on, so that the workspace is not trusted
//   AGENT_LOGS_TIME_LIMIT      seconds after which a run that hangs is ended (default: 600)
//   AGENT_LOGS_CDP             is set for the extension host: where to join the browser that shows the window
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowser } from './browser.mjs';
import { readCommandLine, testQuery } from './commandLine.mjs';
import { screenshots } from './paths.mjs';
import { freePort } from './ports.mjs';
import { endAll } from './processes.mjs';
import { startServer } from './server.mjs';
import { passOn } from './testConsole.mjs';
import { findVersion } from './versions.mjs';

const timeLimit = Number(process.env['AGENT_LOGS_TIME_LIMIT'] ?? 600);

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
async function runTests(args) {
  const commandLine = readCommandLine(args);
  const pinned = findVersion(process.env['AGENT_LOGS_VSCODE_VERSION']);
  const debuggingPort = await freePort();
  const server = await startServer({
    pinned,
    flags: {
      'enable-smoke-test-driver': true, // else a built workbench takes no tests
      ...(process.env['AGENT_LOGS_TRUST'] === '1' ? {} : { 'disable-workspace-trust': true }),
    },
    env: { AGENT_LOGS_CDP: `http://127.0.0.1:${debuggingPort}` },
    dataFolder: commandLine.userDataFolder,
  });
  const page = await openBrowser(debuggingPort, join(commandLine.userDataFolder, 'chromium'));

  const output = passOn();
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => resolve(code));
  });
  await page.exposeFunction('codeAutomationLog', output.receive);
  await page.goto(server.url + testQuery(commandLine, server.port));

  const outcome = await Promise.race([
    exited,
    whenClosed(page),
    server.ended.then((why) => `the VS Code server is gone: ${why}`),
    delay(timeLimit * 1000, `the tests did not end within ${timeLimit} s`),
  ]);
  if (typeof outcome === 'number') return outcome;
  output.printRest();
  await explain(page, pinned.version, outcome);
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
    () => console.error(`What its window looked like: ${path}`),
    () => console.error('Its window could no longer be photographed.'),
  );
}

/** Whoever started this may have been killed, and could not say so. */
function endWithParent() {
  // Nor is there anyone then to read this: writing to them must not be what ends this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void endAll(1);
  }, 1000).unref();
}

endWithParent();
await endAll(
  await runTests(process.argv.slice(2)).catch((/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }),
);
