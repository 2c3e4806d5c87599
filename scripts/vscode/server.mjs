// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { install } from './install.mjs';
import { atEnd, endTree } from './processes.mjs';
import { writeUserSettings } from './settings.mjs';

/** @typedef {Record<string, string | true>} Flags of the server's command line; `true` for one without a value */

/**
 * @typedef {object} ServerOptions
 * @property {import('./versions.mjs').NpmVsCode} pinned
 * @property {Flags} [flags] in addition to the usual ones
 * @property {NodeJS.ProcessEnv} [env] additional variables for the extension host
 * @property {string} dataFolder for settings, state and logs
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} url the URL to open, with its token; append more parameters with `&`
 * @property {Promise<string>} ended why it ended, if it did so unexpectedly
 * @property {() => Promise<void>} stop
 */

const readyTimeoutMs = 60_000;

/**
 * Starts a VS Code server on a free loopback port. Resolves when its page responds.
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer({ pinned, flags = {}, env = {}, dataFolder }) {
  const installed = await install(pinned);
  writeUserSettings(join(dataFolder, 'data'));
  // Any web page in a local browser can reach a loopback port and could run commands, so the server requires a token.
  const token = randomBytes(12).toString('hex');
  const marker = randomBytes(6).toString('hex');

  const child = spawn(installed.node, commandLine(installed, { ...usualFlags(dataFolder, token), ...flags }), {
    env: { ...process.env, ...env, AGENT_LOGS_SERVER: marker },
    detached: true, // its own process group, so that all of it can be ended
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  /** @type {Promise<void> | undefined} */
  let stopping;
  const stop = () =>
    (stopping ??= child.pid === undefined ? Promise.resolve() : endTree(child.pid, `AGENT_LOGS_SERVER=${marker}`));
  atEnd(stop);

  const { listening, ended } = watch(child, () => stopping !== undefined);
  try {
    const port = await within(listening, ended);
    const waiting = new AbortController();
    await within(answers(port, token, waiting.signal), ended).finally(() => waiting.abort());
    return { port, url: `http://127.0.0.1:${port}/?tkn=${token}`, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {() => boolean} isStopping
 * @returns {{ listening: Promise<number>, ended: Promise<string> }} the port it listens on, and why it ended unexpectedly
 */
function watch(child, isStopping) {
  let output = '';
  return {
    listening: new Promise((resolve) => {
      /** @param {Buffer} chunk */
      const read = (chunk) => {
        output = (output + chunk.toString()).slice(-10_000);
        const port = /listening on (\d+)/.exec(output)?.[1];
        if (port !== undefined) resolve(Number(port));
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
    }),
    ended: new Promise((resolve) => {
      child.on('error', (error) => resolve(`it could not be started: ${error.message}`));
      child.on('exit', (code, signal) => {
        if (!isStopping()) resolve(`it ended with ${code ?? signal}:\n${output.slice(-3000)}`);
      });
    }),
  };
}

/**
 * @param {string} folder
 * @param {string} token
 * @returns {Flags}
 */
function usualFlags(folder, token) {
  return {
    host: '127.0.0.1',
    port: '0',
    'connection-token': token,
    'accept-server-license-terms': true,
    'disable-telemetry': true,
    ...usualFolders(folder),
  };
}

/**
 * The folders of a server.
 * @param {string} folder
 */
export function usualFolders(folder) {
  return {
    'server-data-dir': folder,
    'user-data-dir': join(folder, 'data'),
    'extensions-dir': join(folder, 'extensions'),
  };
}

/**
 * @param {import('./install.mjs').Installed} installed
 * @param {Flags} flags
 */
function commandLine(installed, flags) {
  const preload = ['--import', new URL('endWithParent.mjs', import.meta.url).href];
  const args = Object.entries(flags).flatMap(([name, value]) => (value === true ? `--${name}` : [`--${name}`, value]));
  return [...preload, join(installed.vscode, 'out', 'server-main.js'), ...args];
}

/**
 * @template T
 * @param {Promise<T>} ready
 * @param {Promise<string>} ended
 * @returns {Promise<T>}
 */
async function within(ready, ended) {
  const tooLate = new AbortController();
  try {
    return await Promise.race([
      ready,
      ended.then((why) => Promise.reject(new Error(`The VS Code server ended: ${why}`))),
      delay(readyTimeoutMs, undefined, { signal: tooLate.signal }).then(() =>
        Promise.reject(new Error(`The VS Code server didn't respond within ${readyTimeoutMs / 1000} s.`)),
      ),
    ]);
  } finally {
    tooLate.abort();
  }
}

/**
 * @param {number} port
 * @param {string} token
 * @param {AbortSignal} signal when to give up
 */
async function answers(port, token, signal) {
  const headers = { cookie: `vscode-tkn=${token}` };
  while (!signal.aborted) {
    const status = await fetch(`http://127.0.0.1:${port}/`, { headers, signal }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await delay(100);
  }
}
