import { execFile } from 'node:child_process';
import { pidsInProc, statOf } from './proc';

/** A process, and when it was started, in the system's words: PIDs are reused. */
export interface TreeProcess {
  readonly pid: number;
  readonly start: string;
}

interface TableEntry extends TreeProcess {
  readonly parent: number;
}

/** Number of /proc files to read concurrently; Node's few threads may have other work. */
const atOnce = 4;
/** How long `ps` may take, in milliseconds. */
const timeout = 3000;

/** The processes that a process has started, and those that they have started. Empty if the system doesn't say, and on Windows. */
export async function processesBelow(pid: number): Promise<readonly TreeProcess[]> {
  const table = await processTable();
  const found = new Set([pid]);
  const below: TreeProcess[] = [];
  for (let count = 0; count < found.size;) {
    count = found.size;
    for (const entry of table) {
      if (found.has(entry.pid) || !found.has(entry.parent)) continue;
      found.add(entry.pid);
      below.push(entry);
    }
  }
  return below;
}

/** Those of the processes that still run. */
export async function stillRunning(processes: readonly TreeProcess[]): Promise<readonly TreeProcess[]> {
  if (processes.length === 0) return [];
  const pids = processes.map(({ pid }) => String(pid));
  const starts = new Map((await processTable(pids)).map(({ pid, start }) => [pid, start]));
  return processes.filter(({ pid, start }) => starts.get(pid) === start);
}

/** @param pids default: all */
async function processTable(pids?: readonly string[]): Promise<readonly TableEntry[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return fromPs();
  const all = pids ?? (await pidsInProc().catch(() => []));
  const entries: TableEntry[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    const some = await Promise.all(all.slice(at, at + atOnce).map(fromProc));
    entries.push(...some.flatMap((entry) => entry ?? []));
  }
  return entries;
}

async function fromProc(pid: string): Promise<TableEntry | undefined> {
  const fields = (await statOf(pid)) ?? [];
  const [state = 'X', parent] = fields;
  return state === 'Z' || state === 'X'
    ? undefined
    : { pid: Number(pid), parent: Number(parent), start: fields[19] ?? '' };
}

function fromPs(): Promise<readonly TableEntry[]> {
  const options = { timeout, env: { LC_ALL: 'C' } };
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], options, (_error, stdout) => {
      const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.+)$/.exec(line));
      resolve(
        lines.flatMap((line) =>
          line ? [{ pid: Number(line[1]), parent: Number(line[2]), start: line[4] ?? '' }] : [],
        ),
      );
    });
  });
}
