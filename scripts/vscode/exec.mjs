// @ts-check
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How much of a failed command's output its error includes, in characters. */
const tailLength = 3000;

/**
 * Runs a command. Its output is shown only if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>} its output
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const forget = endWithThis(child);
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new Error(`Couldn't run ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      forget();
      if (code === 0) {
        resolve(output);
        return;
      }
      const what = [command, ...args].join(' ');
      reject(new Error(`\`${what}\` ended with ${code ?? signal}:\n${output.slice(-tailLength)}`));
    });
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child ends when this process is asked to end
 * @returns {() => void} call this when it has ended
 */
export function endWithThis(child) {
  const endings = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'exit']);
  const stop = () => void child.kill();
  for (const ending of endings) process.on(ending, stop);
  return () => {
    for (const ending of endings) process.off(ending, stop);
  };
}

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function which(name) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

/**
 * @param {string} path
 * @returns {boolean}
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Prints what is being done, and how long it took.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  console.log(`${what} …`);
  const started = Date.now();
  const result = await work();
  console.log(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
