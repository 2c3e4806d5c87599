#!/usr/bin/env node
// @ts-check
// Acts as a VS Code for @vscode/test-electron: takes the command line for desktop VS Code, and runs the tests in VS Code from npm.
//
//   AGENT_LOGS_VSCODE_VERSION  one of the pinned versions (default: the newest)
//   AGENT_LOGS_TRUST=1         enables workspace trust, so that the workspace is untrusted
//   AGENT_LOGS_LANGUAGE        of the window (default: en)
//   AGENT_LOGS_TIME_LIMIT      seconds until a hanging run is ended (default: 1800)
//   AGENT_LOGS_CDP             set for the extension host: the endpoint of the browser that shows the window
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { readCommandLine, testQuery } from './commandLine.mjs';
import { freePort } from './ports.mjs';
import { endAll } from './processes.mjs';
import { startServer } from './server.mjs';
import { runTestsIn } from './testWindow.mjs';
import { findVersion } from './versions.mjs';

const timeLimit = Number(process.env['AGENT_LOGS_TIME_LIMIT'] || 1800);
if (!(timeLimit > 0)) throw new Error('AGENT_LOGS_TIME_LIMIT must be a number of seconds.');

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
      'enable-smoke-test-driver': true, // otherwise a built workbench runs no tests
      ...(process.env['AGENT_LOGS_TRUST'] === '1' ? {} : { 'disable-workspace-trust': true }),
    },
    env: { AGENT_LOGS_CDP: `http://127.0.0.1:${debuggingPort}` },
    dataFolder: commandLine.userDataFolder,
  });
  const profile = join(commandLine.userDataFolder, 'chromium');
  const page = await openBrowser(debuggingPort, profile, process.env['AGENT_LOGS_LANGUAGE']);

  return runTestsIn(page, server, { query: testQuery(commandLine, server.port), version: pinned.version, timeLimit });
}

/** Ends this process if its parent was killed. */
function endWithParent() {
  // The parent may be gone, so writing to it must not end this process.
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
