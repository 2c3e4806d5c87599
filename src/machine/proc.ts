import { readdir, readFile } from 'node:fs/promises';

/** The PIDs of all processes on Linux. @throws if /proc can't be read */
export async function pidsInProc(): Promise<readonly string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

/**
 * What /proc/PID/stat says of a process from field 3 on (proc(5)): its state, parent and group, and as the 20th when it began, in ticks since
 * boot. Field 2, the name, may contain anything. `undefined` if it is gone.
 */
export async function statOf(pid: number | string): Promise<readonly string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}
