#!/usr/bin/env node
// @ts-check
// A VS Code to @vscode/test-electron: takes the command line that it passes to desktop VS Code, and runs the tests in the one from npm.
//
//   AGENT_LOGS_VSCODE_VERSION  which of the pinned versions (default: the newest)
//   AGENT_LOGS_TRUST=1         leaves workspace trust on, so that the workspace is not trusted
//   AGENT_LOGS_TIME_LIMIT      seconds after which a run that hangs is ended (default: 600)
//   AGENT_LOGS_CDP             is set for the extension host: where to join the browser that shows the window
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { readCommandLine, testQuery } from './commandLine.mjs';
import { freePort } from './ports.mjs';
import { endAll } from './processes.mjs';
import { startServer } from './server.mjs';
import { runTestsIn } from './testWindow.mjs';
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

  return runTestsIn(page, server, { query: testQuery(commandLine, server.port), version: pinned.version, timeLimit });
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
