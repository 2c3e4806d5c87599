import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessInfo {
  readonly pid: number;
  /** Its command line. */
  readonly args: string;
}

/** The living processes of a group. None on Windows, which has no groups. */
export function groupMembers(group: number): ProcessInfo[] {
  return allProcesses().filter((info) => info.group === group);
}

/** Living processes that were started with this home directory, including those that left their group. Linux only, none elsewhere. */
export function livingIn(home: string): ProcessInfo[] {
  if (process.platform !== 'linux') return [];
  const pids = new Set(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name) && environment(name).includes(`HOME=${home}\0`)),
  );
  return allProcesses().filter(({ pid }) => pids.has(String(pid)));
}

/** Waits up to `ms` until no process is found. Returns those that remain, and how long it took. */
export async function untilGone(find: () => ProcessInfo[], ms: number): Promise<{ left: ProcessInfo[]; took: number }> {
  const start = performance.now();
  for (let took = 0; ; took = Math.round(performance.now() - start)) {
    const left = find();
    if (left.length === 0 || took >= ms) return { left, took };
    await delay(10);
  }
}

function allProcesses(): (ProcessInfo & { readonly group: number })[] {
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, group, stat = 'Z', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // Zombies are dead; their parent just hasn't reaped them.
    return stat.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), args }];
  });
}

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // it has exited, or belongs to another user
  }
}
