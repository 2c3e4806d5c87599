import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { HostReport, HostTask } from './hostTask';
import type { Stage } from './stage';
import { within } from './waiting';

export type HostResult = Exclude<HostReport, { readonly pid: number }>;

/** A separate process that runs an agent, so that it can be killed. */
export class HostProcess {
  private readonly reports: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcess) {
    this.reports = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  }

  /** Starts it, and waits until its agent is running. */
  static async start(stage: Stage, agent: string, options: Partial<HostTask> = {}): Promise<HostProcess> {
    const task: HostTask = {
      agent,
      script: resolve('test', `${agent}.mjs`),
      args: [],
      home: stage.folder,
      journals: stage.journals,
      maxFileSize: 64 * 1024 * 1024,
      ...options,
    };
    const loaders = ['--import', 'tsx', '--import', './test/support/useKernel.mjs'];
    const args = [...loaders, resolve('test/faults/host.ts'), JSON.stringify(task)];
    // Cleans up what a killed host leaves in its temporary folder along with the stage.
    const env = { ...process.env, TMPDIR: stage.folder };
    const host = new HostProcess(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] }));
    await within(host.report(), 20_000, 'the start of the host');
    return host;
  }

  /** Kills it with SIGKILL. Returns the time, in milliseconds since the epoch. */
  async kill(): Promise<number> {
    const exited = once(this.child, 'exit');
    const at = Date.now();
    this.child.kill('SIGKILL');
    await exited;
    return at;
  }

  /** The result of the run, once it has ended. */
  async result(): Promise<HostResult> {
    const report = await within(this.report(), 30_000, 'the run');
    if ('pid' in report) throw new Error('the host started twice');
    return report;
  }

  private async report(): Promise<HostReport> {
    const line = await this.reports.next();
    if (line.done === true) throw new Error('the host ended without a word');
    return JSON.parse(line.value) as HostReport;
  }
}
