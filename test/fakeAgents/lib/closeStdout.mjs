// @ts-check
import { closeSync } from 'node:fs';

/** Closes standard output for the reader. On Windows, Node's stream holds a second handle of the pipe. */
export function closeStdout() {
  if (process.platform === 'win32') /** @type {any} */ (process.stdout)._handle.close();
  closeSync(1);
}
