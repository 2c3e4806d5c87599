import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { statOf } from './proc';

/** Milliseconds per clock tick on Linux: USER_HZ is 100 wherever Node runs. */
const tick = 10;
/** How long an answer that took a process is kept, in milliseconds. */
const keptFor = 60_000;
/** Maximum time to wait for that process, in milliseconds. */
const timeout = 10_000;

/** Runs a program and returns its output; empty if it fails. */
export type RunProgram = (path: string, args: readonly string[]) => Promise<string>;

/** Start times by PID, in milliseconds since the epoch. Without those that are unknown. */
type Starts = ReadonlyMap<number, number>;

interface Question {
  readonly pids: Set<number>;
  readonly answer: Promise<Starts>;
}

/**
 * When processes began. Linux says so in /proc. Other systems need a process to find out, so questions that are asked together share one, and
 * its answers are kept for a minute.
 */
export class ProcessStarts {
  private next: Question | undefined;
  private readonly known = new Map<number, { readonly start: number | undefined; readonly askedAt: number }>();

  constructor(
    private readonly platform: NodeJS.Platform = process.platform,
    private readonly run: RunProgram = runProgram,
  ) {}

  /** The start time of a process, in milliseconds since the epoch; `undefined` if it is unknown. */
  async of(pid: number): Promise<number | undefined> {
    if (this.platform === 'linux') return startInProc(pid);
    const known = this.known.get(pid);
    if (known && Date.now() - known.askedAt < keptFor) return known.start;
    const start = (await this.ask(pid)).get(pid);
    this.known.set(pid, { start, askedAt: Date.now() });
    return start;
  }

  private ask(pid: number): Promise<Starts> {
    const question = (this.next ??= this.newQuestion());
    question.pids.add(pid);
    return question.answer;
  }

  private newQuestion(): Question {
    const pids = new Set<number>();
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.next = undefined;
      this.forgetOld();
      return this.platform === 'win32' ? this.fromWindows([...pids]) : this.fromPs([...pids]);
    });
    return { pids, answer };
  }

  private forgetOld(): void {
    const now = Date.now();
    for (const [pid, { askedAt }] of this.known) if (now - askedAt >= keptFor) this.known.delete(pid);
  }

  /** Unlike `lstart`, the elapsed time doesn't depend on the locale. */
  private async fromPs(pids: readonly number[]): Promise<Starts> {
    const output = await this.run('/bin/ps', ['-o', 'pid=,etime=', '-p', pids.join(',')]);
    const now = Date.now();
    return startsIn(output, (elapsed) => {
      const seconds = elapsedSeconds(elapsed);
      return seconds === undefined ? undefined : now - seconds * 1000;
    });
  }

  /** Not `Get-Process`, which doesn't say when other users' processes began. */
  private async fromWindows(pids: readonly number[]): Promise<Starts> {
    const filter = pids.map((pid) => `ProcessId=${pid}`).join(' OR ');
    const line = '"$($_.ProcessId) $([DateTimeOffset]::new($_.CreationDate).ToUnixTimeMilliseconds())"';
    const script = `Get-CimInstance Win32_Process -Filter '${filter}' | ForEach-Object { ${line} }`;
    const folder = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0');
    const output = await this.run(join(folder, 'powershell.exe'), [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      script,
    ]);
    return startsIn(output, (ms) => (/^\d+$/.test(ms) ? Number(ms) : undefined));
  }
}

/** Reads lines of a PID and its time. */
function startsIn(output: string, startOf: (time: string) => number | undefined): Starts {
  const starts = new Map<number, number>();
  for (const line of output.split('\n')) {
    const [pid = '', time = ''] = line.trim().split(/\s+/);
    const start = startOf(time);
    if (start !== undefined) starts.set(Number(pid), start);
  }
  return starts;
}

/** The seconds in `[[DD-]hh:]mm:ss` (POSIX, ps). */
export function elapsedSeconds(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Compares with our own start time, because the boot time is wrong in a container and after the clock was changed. */
async function startInProc(pid: number): Promise<number | undefined> {
  const [own, other] = await Promise.all([ticksOf(process.pid), ticksOf(pid)]);
  if (own === undefined || other === undefined) return undefined;
  return Date.now() - process.uptime() * 1000 + (other - own) * tick;
}

/** Start time of a process in ticks since boot. */
async function ticksOf(pid: number): Promise<number | undefined> {
  const ticks = Number((await statOf(pid))?.[19]);
  return Number.isFinite(ticks) ? ticks : undefined;
}

function runProgram(path: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(path, args, { timeout, windowsHide: true }, (error, stdout) => resolve(error ? '' : stdout));
  });
}
