// @ts-check
import { closeSync } from 'node:fs';

/** Closes standard output so that the reader sees the end. On Windows, Node's stream holds a second handle of the pipe. */
export function closeStdout() {
  const stdout = /** @type {{ _handle?: { close(): void } }} */ (/** @type {unknown} */ (process.stdout));
  if (process.platform === 'win32') stdout._handle?.close();
  closeSync(1);
}
