import { execFile, spawn } from 'node:child_process';
import { win32 } from 'node:path';

/** A process of a snapshot, with its creation in milliseconds since the epoch. */
interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly createdAt: number;
}

/** A process that has exited, with its lifetime in milliseconds since the epoch. */
export interface ExitedProcess {
  readonly pid: number;
  /** Taken before it was started. */
  readonly startedAt: number;
  /** When its exit was seen. Until then its open handle kept the PID from being reused. */
  readonly exitedAt: number;
}

/** Runs a system program and resolves to its stdout; rejects if it fails or times out. */
export type RunTool = (program: string, args: readonly string[]) => Promise<string>;

/** PowerShell takes about half a second to start; in milliseconds. */
const timeout = 3000;
const maxOutput = 1024 * 1024;
/** Creation times have the resolution of the system clock, 15.6 ms. */
const tick = 16;
/** Bounds the length of the command line. */
const maxEnded = 500;

/** A line for each process: `pid parent createdAt`. */
const snapshotScript = `
$ErrorActionPreference = 'Stop'
Get-CimInstance -Query 'SELECT ProcessId, ParentProcessId, CreationDate FROM Win32_Process' | Where-Object CreationDate | ForEach-Object {
  '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()
}`;

/**
 * Ends a process and its descendants at once: console programs have no SIGTERM. Only while we hold its handle, that is before its exit event:
 * afterwards its id may be another process's.
 * @param onFailure called if taskkill is missing, or couldn't end all of it
 */
export function endTree(pid: number, onFailure: () => void = () => undefined): void {
  const taskkill = spawn(systemTool('taskkill.exe'), ['/pid', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  taskkill.once('error', onFailure);
  taskkill.once('exit', (code) => code !== 0 && onFailure());
}

/**
 * Kills the leftover processes of an exited one. Windows has no process groups, so descendants are found by parent PID, and creation times rule out
 * reused PIDs. A descendant whose own parent has exited too can't be found.
 * @returns how many there were; 0 if the system's tools fail
 */
export async function endLeftBehind(exited: ExitedProcess, run: RunTool = runTool): Promise<number> {
  try {
    const powerShell = systemTool('WindowsPowerShell', 'v1.0', 'powershell.exe');
    const output = await run(powerShell, ['-NoProfile', '-NonInteractive', '-Command', snapshotScript]);
    const left = leftBehind(parsed(output), exited).slice(0, maxEnded);
    if (left.length === 0) return 0;
    // Fails if one of them has ended meanwhile.
    await run(systemTool('taskkill.exe'), ['/F', ...left.flatMap((pid) => ['/pid', String(pid)])]).catch(() => '');
    return left.length;
  } catch {
    return 0;
  }
}

function leftBehind(processes: readonly WindowsProcess[], { pid, startedAt, exitedAt }: ExitedProcess): number[] {
  const byParent = new Map<number, WindowsProcess[]>();
  for (const one of processes) byParent.set(one.parent, [...(byParent.get(one.parent) ?? []), one]);
  const children = (byParent.get(pid) ?? []).filter(
    ({ createdAt }) => createdAt >= startedAt - tick && createdAt <= exitedAt,
  );
  const found = new Map<number, WindowsProcess>();
  for (let pending = children; pending.length > 0;) {
    const one = pending.pop();
    if (!one || found.has(one.pid) || one.pid === process.pid) continue;
    found.set(one.pid, one);
    // Older processes had another parent with this PID.
    pending = [...pending, ...(byParent.get(one.pid) ?? []).filter(({ createdAt }) => createdAt >= one.createdAt)];
  }
  return [...found.keys()];
}

function parsed(output: string): WindowsProcess[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, createdAt] = /^(\d+) (\d+) (\d+)\s*$/.exec(line) ?? [];
    if (createdAt === undefined) return [];
    const one = { pid: Number(pid), parent: Number(parent), createdAt: Number(createdAt) };
    return one.pid === one.parent ? [] : [one];
  });
}

/** The full path, because the working directory may contain a program of the same name. */
function systemTool(...path: readonly string[]): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...path);
}

function runTool(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout, maxBuffer: maxOutput, windowsHide: true }, (error, stdout) => {
      if (error) reject(new Error(`${program} failed`, { cause: error }));
      else resolve(stdout);
    });
  });
}
