// @ts-check
import { format } from 'node:util';

/** Prefix of the reporter's lines (test/suites/index.ts), which distinguishes them from the workbench's log. */
const gutter = '│';

/** How many other lines are kept, to print if a run hangs. */
const keptLines = 60;

/**
 * Prints the reporter's lines as they come. The rest, such as the workbench's log, is printed only with
 * AGENT_LOGS_VERBOSE=1 or if there is no result.
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
      if (rest.length > 0) console.error(`The workbench's last log lines:\n${rest.join('\n')}`);
    },
  };
}
