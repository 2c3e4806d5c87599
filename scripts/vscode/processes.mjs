// @ts-check
// Ends all started processes: when the work is done, on Ctrl-C, and on signals.
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
 * Registers a cleanup for when this process is asked to end. They run in reverse order.
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
 * Runs all cleanups, then exits.
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
 * Ends a process group with all its descendants, and all other processes with the marker in their environment: those that left
 * the group or lost their parent.
 * @param {number} leader
 * @param {string} marker `NAME=value`
 */
export async function endTree(leader, marker) {
  const all = new Set([leader, ...descendants(leader), ...marked(marker)]);
  // VS Code's file watchers check only every few seconds whether to exit, so it's fine to kill them.
  const awaited = [...all].filter((pid) => !commandOf(pid).includes('--type=fileWatcher'));
  signal(leader, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (awaited.some(isAlive) && Date.now() < deadline) await delay(50);
  for (const pid of awaited.filter(isAlive)) {
    console.error(`Killed a process that was still running: ${pid} ${commandOf(pid)}`);
  }
  signal(-leader, 'SIGKILL');
  for (const pid of all) signal(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @returns {number[]} empty except on Linux
 */
export function descendants(pid) {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendants)];
}

/**
 * @param {string} marker
 * @returns {number[]} empty except on Linux
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
 * Lists all processes with their command lines.
 * @returns {Promise<{ pid: number, command: string }[]>}
 */
export async function allProcesses() {
  const pids = list('/proc').filter((name) => /^\d+$/.test(name));
  if (pids.length > 0) return pids.map((pid) => ({ pid: Number(pid), command: commandOf(Number(pid)) }));
  const table = await run('ps', ['-A', '-ww', '-o', 'pid=,command=']); // not Linux
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
    return []; // the process has exited, or this isn't Linux
  }
}

/** @param {number} pid */
function isAlive(pid) {
  const isZombie = /\) Z /.test(read(`/proc/${pid}/stat`)); // exited, but not yet reaped
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
 * @returns {boolean} whether there was a process to signal
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
