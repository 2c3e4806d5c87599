// @ts-check
import { format } from 'node:util';

/** What the tests' reporter prints starts with it (test/suites/index.ts), and is told by it from what the workbench itself logs. */
const gutter = '│';

/** How much of the rest is kept for the case that a run hangs. */
const keptLines = 60;

/**
 * Prints the reporter's lines as they come. The rest, the workbench's long log and what tests and extensions print themselves, is for
 * AGENT_LOGS_VERBOSE=1 and for the case that there is no result.
 */
export function passOn() {
  const everything = process.env['AGENT_LOGS_VERBOSE'] === '1';
  /** @type {string[]} */
  const rest = [];
  return {
    receive: (/** @type {string} */ type, /** @type {unknown} */ args) => {
      const text = format(...(Array.isArray(args) ? /** @type {unknown[]} */ (args) : [args]));
      if (text.startsWith(gutter)) console.log(text);
      else if (everything) console.log(`[${type}] ${text}`);
      else rest.splice(0, rest.push(`[${type}] ${text.split('\n', 1).join('')}`) - keptLines);
    },
    printRest: () => {
      if (rest.length > 0) console.error(`The last that the workbench logged:\n${rest.join('\n')}`);
    },
  };
}
