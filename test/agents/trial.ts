import { setTimeout as delay } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../src/log/record';
import type { AgentDefinition } from '../../src/runs/launchSpec';
import { launchSpec } from '../../src/runs/launchSpec';
import type { StopGrace } from '../../src/runs/agentProcess';
import type { ProcessReaper } from '../../src/runs/processReaper';
import type { RunLimits } from '../../src/runs/run';
import { Run } from '../../src/runs/run';
import type { Termination } from '../../src/log/termination';
import type { WireEvent } from '../../src/wire/wireEvent';
import { channelLines } from './channelView';
import type { RecordPattern } from './checks';
import { Checks, describe, fits } from './checks';
import { within } from './deadline';
import { ScriptedPermissions } from './permissions';
import type { ProcessInfo } from './processes';
import { groupMembers } from './processes';
import type { Sandbox } from './sandbox';

/** What was done, and how long it took in milliseconds. */
export interface Step {
  readonly name: string;
  readonly ms: number;
}

/** The limits that the extension has by default. */
const limits: RunLimits = {
  maxLineBytes: 1024 * 1024,
  maxMemory: 64 * 1024 * 1024,
  initializeTimeout: 60_000,
  waitingNotice: 5000,
  stop: { close: 3000, terminate: 2000 },
};

/** One run of one agent by our own core, as the extension would have it, with somebody who takes notes. */
export class Trial {
  readonly run: Run;
  /** All that crossed. */
  readonly events: WireEvent[] = [];
  readonly steps: Step[] = [];
  readonly checks = new Checks();
  readonly permissions = new ScriptedPermissions();
  /** How often the person was asked to log in. */
  logins = 0;
  /** What the output channel would show. */
  readonly channel: readonly string[];
  /** Who was in the process group when it was stopped. */
  group: readonly ProcessInfo[] = [];

  constructor(
    agent: AgentDefinition,
    readonly sandbox: Sandbox,
    env: NodeJS.ProcessEnv,
    reaper: ProcessReaper,
  ) {
    this.run = new Run({
      id: agent.name,
      agent,
      spec: launchSpec(agent, { workspaceFolder: sandbox.project, userHome: sandbox.home, env }),
      level: 'info',
      limits,
      client: {
        agentName: agent.name,
        clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: '0.0.0-test' },
        askPermission: this.permissions.ask,
        chooseAuthMethod: () => {
          this.logins++;
          return Promise.resolve(undefined);
        },
        setLevelTimeout: 5000,
      },
      reaper,
      now: Date.now,
    });
    this.run.onEvent((event) => this.events.push(event));
    this.channel = channelLines(this.run);
  }

  /** Does something, and notes how long it took. It fails when it takes longer than `seconds`. */
  async step<T>(name: string, work: () => Promise<T>, seconds = 60): Promise<T> {
    const start = performance.now();
    try {
      return await within(name, seconds * 1000, work());
    } finally {
      this.steps.push({ name, ms: Math.round(performance.now() - start) });
    }
  }

  start(): Promise<void> {
    const { token } = new CancellationTokenSource();
    return this.step('start', () => this.run.start({ token, onWaiting: () => undefined }));
  }

  newSession(): Promise<string> {
    return this.step('session', () => this.run.newSession());
  }

  /** Answers the stop reason. */
  prompt(sessionId: string, text: string, seconds?: number): Promise<string> {
    const turn = this.step('prompt', () => this.run.prompt(sessionId, text), seconds);
    const reason = turn.then(({ stopReason }) => stopReason);
    // A scenario that fails meanwhile does not wait for it any more.
    reason.catch(() => undefined);
    return reason;
  }

  /** Answers what the work was refused with, or `undefined` when it was not. */
  async refusal(work: Promise<unknown>): Promise<unknown> {
    try {
      await work;
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Settles when a record like this has come. */
  until(pattern: RecordPattern, seconds = 60): Promise<LogRecord> {
    const find = (): LogRecord | undefined => this.run.log.store.query().find((record) => fits(record, pattern));
    const found = new Promise<LogRecord>((resolve) => {
      const look = (): void => {
        const record = find();
        if (!record) return;
        listener.dispose();
        resolve(record);
      };
      const listener = this.run.log.onDidChange(look);
      look();
    });
    return this.step(`until ${describe(pattern)}`, () => found, seconds);
  }

  stop(grace?: StopGrace): Promise<Termination> {
    this.group = this.run.pid === undefined ? [] : groupMembers(this.run.pid);
    return this.step('stop', () => this.run.stop(grace), 15);
  }

  /** Looks on for a while. */
  wait(ms: number): Promise<void> {
    return this.step('wait', () => delay(ms));
  }

  /** What it takes to signal the agent from outside, as somebody with a terminal would. */
  get pid(): number {
    if (this.run.pid === undefined) throw new Error('the agent was not started');
    return this.run.pid;
  }

  /** The records of a session, oldest first. */
  recordsOf(sessionId: string): LogRecord[] {
    return this.run.log.store.query({ sessionId });
  }

  /** What in a session a person would see who wants warnings and worse only. */
  troubles(sessionId: string): LogRecord[] {
    return this.run.log.store.query({ sessionId, minLevel: 'warning' });
  }

  /** The records of the connection, oldest first. */
  get connectionRecords(): LogRecord[] {
    return this.run.log.store.query({ sessionId: null });
  }
}
