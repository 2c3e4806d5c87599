// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { allProcesses, descendants } from '../vscode/processes.mjs';

/** @typedef {{ pid: number, command: string }} Process */

/** The guardian gives agents a few seconds to exit, and the machine may be busy. */
const patienceMs = 60_000;

/**
 * Lists the processes of an extension while one of its agents runs.
 * @param {number} host the extension host
 * @param {string} program the beginning of the paths of the extension's files
 * @returns {Promise<Process[]>}
 */
export async function extensionProcesses(host, program) {
  const children = descendants(host); // Linux only
  const all = await allProcesses();
  const found = all.filter(({ pid, command }) => pid === host || children.includes(pid) || command.includes(program));
  const expected = ['sampleAgent.js', ...(process.platform === 'linux' ? ['agent-logs-guardian'] : [])];
  for (const name of expected) {
    if (!found.some(({ command }) => command.includes(name))) {
      throw new Error(`${name} does not run, only:\n${describe(found)}`);
    }
  }
  return found;
}

/**
 * Waits until processes have ended, and fails if they don't.
 * @param {readonly Process[]} processes
 */
export async function expectGone(processes) {
  const known = new Set(processes.map(key));
  const deadline = Date.now() + patienceMs;
  for (;;) {
    // A process that exited but wasn't reaped has no command line.
    const left = (await allProcesses()).filter((each) => known.has(key(each)));
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still running:\n${describe(left)}`);
    await delay(100);
  }
}

/** PIDs are reused. @param {Process} process */
function key({ pid, command }) {
  return `${pid} ${command}`;
}

/** @param {readonly Process[]} processes */
function describe(processes) {
  return processes.map(key).join('\n');
}
