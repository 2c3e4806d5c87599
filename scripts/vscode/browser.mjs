// @ts-check
import { chromium } from 'playwright-core';
import { chromiumPath } from './chromium.mjs';
import { atEnd } from './processes.mjs';

/** It runs as root as well, and asks nothing of the internet. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Opens a headless Chromium that a second driver, the one inside the extension host, can join.
 * @param {number} debuggingPort
 * @param {string} profile a folder for what it writes
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openBrowser(debuggingPort, profile) {
  // A persistent context is the browser's default one: the only one that a driver which joins later finds.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: [...args, `--remote-debugging-port=${debuggingPort}`],
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Our own handlers end the browser and the server, in that order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  atEnd(() => context.close());
  return context.pages()[0] ?? (await context.newPage());
}
