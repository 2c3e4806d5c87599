import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Run } from '../../src/live/run';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { JournalWriter } from '../../src/wire/journal/journalWriter';
import type { TestRunOptions } from '../support/testRun';
import { start, TestRuns } from '../support/testRun';
import { within } from './waiting';

export interface JournalSetup {
  readonly folder?: string;
  readonly maxFileSize?: number;
  readonly fileOf?: (part: number) => string;
  readonly startedAt?: number;
}

/** Where one fault is injected: a temporary folder, runs, journals and their reported problems. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-logs-fault-'));
  readonly journals = join(this.folder, 'journals');
  /** Journal problems that the user would have seen. */
  readonly problems: string[] = [];
  private readonly runs = new TestRuns();

  /** Where an agent stores how much it has written. */
  get counterFile(): string {
    return join(this.folder, 'counter');
  }

  /** Number of messages that the agent has written. */
  get written(): number {
    return Number(readFileSync(this.counterFile, 'utf8').trim());
  }

  journal(setup: JournalSetup = {}): JournalWriter {
    const startedAt = setup.startedAt ?? Date.now();
    return new JournalWriter({
      fileOf: setup.fileOf ?? new JournalFolder(setup.folder ?? this.journals).fileOf('fault', 'run', startedAt),
      header: { journal: 1, agent: 'fault', protocol: 'acp', command: [], cwd: '/', startedAt: '' },
      startedAt,
      maxFileSize: setup.maxFileSize ?? 64 * 1024 * 1024,
      onProblem: ({ message }) => this.problems.push(message),
    });
  }

  /** Starts one of the agents beside this file, or, given only a name, one of the fake agents. */
  async start(agent: string, args: readonly string[] = [], options: TestRunOptions = {}): Promise<Run> {
    const script = resolve('test', agent.includes('/') ? agent : `fakeAgents/${agent}`);
    const run = this.runs.create(agent, {
      ...options,
      spec: {
        args: [`${script}.mjs`, ...args],
        env: { PATH: process.env['PATH'] ?? '', HOME: this.folder },
        cwd: process.cwd(),
        ...options.spec,
      },
    });
    await start(run);
    return run;
  }

  /** Starts an agent that writes numbered messages, unlimited or up to `total`. */
  startNumbered(options: TestRunOptions & { readonly total?: number } = {}): Promise<Run> {
    return this.start('faults/agents/numbered', [String(options.total ?? 0), this.counterFile], options);
  }

  async clear(): Promise<void> {
    await within(this.runs.end(), 3000, 'the end of the runs').catch(() => undefined); // what hangs was already reported
    // A killed process may have been writing its last file.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
