// @ts-check
import { chromium } from 'playwright-core';
import { chromiumPath } from './chromium.mjs';
import { atEnd } from './processes.mjs';

/** Flags for running as root and without internet access. */
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
 * Opens a headless Chromium that a second driver, inside the extension host, can connect to.
 * @param {number} debuggingPort
 * @param {string} profile a folder for what it writes
 * @param {string} [language] of VS Code
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openBrowser(debuggingPort, profile, language = 'en') {
  // A driver that connects later sees only the default context, which is the persistent one.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: [...args, `--remote-debugging-port=${debuggingPort}`],
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Our own handlers end the browser first, then the server.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  atEnd(() => context.close());
  // Without a language pack, only extensions are translated: their manifests by the cookie, their texts by the variable.
  if (language !== 'en') {
    await context.addCookies([{ name: 'vscode.nls.locale', value: language, url: 'http://127.0.0.1' }]);
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
  }
  return context.pages()[0] ?? (await context.newPage());
}
