import { spawn } from 'node:child_process';

/** A program that runs longer is killed, in milliseconds. */
const limit = 60_000;

/**
 * Runs a program to its end, without a shell. Its output is dropped.
 * @param variables for its environment, besides that of this process
 * @param signal kills it
 * @throws if it can't be started
 */
export function runOnce(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...variables },
      stdio: 'ignore',
      shell: false,
      windowsHide: true,
      timeout: limit,
      signal,
    });
    child.once('error', (error) => (signal.aborted || child.pid !== undefined ? resolve() : reject(error)));
    child.once('exit', () => resolve());
  });
}
