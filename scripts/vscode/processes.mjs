// @ts-check
// What is started here ends here: by the work's own end, by Ctrl-C, by a signal.
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './exec.mjs';

/** How long a VS Code may take to deactivate its extensions before it is killed. */
const graceMs = 5000;

/** @typedef {() => Promise<void>} Ending */

/** @type {Ending[]} */
const endings = [];
let listening = false;
let ending = false;

/**
 * Registers what has to be done when this process is told to end. The last registered comes first.
 * @param {Ending} work
 */
export function atEnd(work) {
  endings.unshift(work);
  if (listening) return;
  listening = true;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => void endAll(128 + constants.signals[signal]));
  }
}

/**
 * Ends whatever was registered, then this process.
 * @param {number} exitCode
 * @returns {Promise<never>}
 */
export async function endAll(exitCode) {
  if (ending) return new Promise(() => {});
  ending = true;
  for (const work of endings) {
    await work().catch((/** @type {unknown} */ error) => {
      console.error(error);
    });
  }
  process.exit(exitCode);
}

/**
 * Ends a process that leads a group of its own, everything below it, and whatever else has the marker in its environment: what left
 * the group, and what lost its parent.
 * @param {number} leader
 * @param {string} marker `NAME=value`
 */
export async function endTree(leader, marker) {
  const all = new Set([leader, ...descendants(leader), ...marked(marker)]);
  // VS Code's file watchers look only every few seconds whether they are still wanted: nothing is lost when they are killed.
  const awaited = [...all].filter((pid) => !commandOf(pid).includes('--type=fileWatcher'));
  signal(leader, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (awaited.some(isAlive) && Date.now() < deadline) await delay(50);
  for (const pid of awaited.filter(isAlive)) console.error(`Still running, and killed now: ${pid} ${commandOf(pid)}`);
  signal(-leader, 'SIGKILL');
  for (const pid of all) signal(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @returns {number[]} on Linux; elsewhere none, and the group has to do
 */
export function descendants(pid) {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendants)];
}

/**
 * @param {string} marker
 * @returns {number[]} likewise
 */
function marked(marker) {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).split('\0').includes(marker))
    .map(Number);
}

/** @param {number} pid */
function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

/**
 * All processes of this machine with their command lines.
 * @returns {Promise<{ pid: number, command: string }[]>}
 */
export async function allProcesses() {
  const pids = list('/proc').filter((name) => /^\d+$/.test(name));
  if (pids.length > 0) return pids.map((pid) => ({ pid: Number(pid), command: commandOf(Number(pid)) }));
  const table = await run('ps', ['-A', '-ww', '-o', 'pid=,command=']); // no Linux
  return table.split('\n').map((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), command: command ?? '' };
  });
}

/** @param {number} pid */
function childrenOf(pid) {
  const lists = list(`/proc/${pid}/task`).map((task) => read(`/proc/${pid}/task/${task}/children`));
  return lists
    .flatMap((text) => text.trim().split(/\s+/))
    .filter((text) => text !== '')
    .map(Number);
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the process ended meanwhile, or this is no Linux
  }
}

/** @param {number} pid */
function isAlive(pid) {
  const isZombie = /\) Z /.test(read(`/proc/${pid}/stat`)); // dead, but no one asked for its exit code yet
  return !isZombie && signal(pid, 0);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 * @returns {boolean} whether there was anything to signal
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
