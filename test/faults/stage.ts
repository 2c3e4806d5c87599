import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Run } from '../../src/runs/run';
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

/** Where one fault is tried: a folder of its own, runs, journals and what they complained of. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-logs-fault-'));
  readonly journals = join(this.folder, 'journals');
  /** What the person would have been told by the journals. */
  readonly problems: string[] = [];
  private readonly runs = new TestRuns();

  /** Where an agent notes how much it has written. */
  get counterFile(): string {
    return join(this.folder, 'counter');
  }

  /** How many messages the agent has written. */
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

  /** A run of one of the agents beside this file, or with a name alone of one of the fake agents. */
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

  /** An agent that writes numbered messages, without end or so many. */
  startNumbered(options: TestRunOptions & { readonly total?: number } = {}): Promise<Run> {
    return this.start('faults/agents/numbered', [String(options.total ?? 0), this.counterFile], options);
  }

  async clear(): Promise<void> {
    await within(this.runs.end(), 3000, 'the end of the runs').catch(() => undefined); // what hangs has been told of
    rmSync(this.folder, { recursive: true, force: true });
  }
}
