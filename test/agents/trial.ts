import { setTimeout as delay } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../src/text/record';
import type { RunDefinition } from '../../src/live/config/launchSpec';
import type { ToolCallOptions } from '../../src/live/connection/agentClient';
import type { JsonObject } from '../../src/text/json';
import { arrayOf, objectOf, textOf } from '../../src/text/json';
import { runSpec } from '../../src/live/config/launchSpec';
import type { StopGrace } from '../../src/live/process/agentProcess';
import type { ProcessReaper } from '../../src/live/process/processReaper';
import type { RunLimits } from '../../src/live/runOptions';
import { Run } from '../../src/live/run';
import { protocolSupport } from '../../src/live/connection/connectors';
import type { Termination } from '../../src/wire/termination';
import type { WireEvent } from '../../src/wire/wireEvent';
import { createPlainLanguageClient } from '../support/plainLanguageClient';
import { ended, recordOf } from '../support/testRun';
import { channelLines } from './channelView';
import type { RecordPattern } from './checks';
import { Checks, describe, fits } from './checks';
import { within } from '../faults/waiting';
import { journalIn } from './journal';
import type { PermissionHabit } from './permissions';
import { ScriptedPermissions } from './permissions';
import type { ProcessInfo } from './processes';
import { groupMembers } from './processes';
import type { Sandbox } from './sandbox';

/** A step, and how long it took in milliseconds. */
export interface Step {
  readonly name: string;
  readonly ms: number;
}

/** How long a step may take if nothing else is known, in seconds. Programs of 200 MB start slowly on a busy machine. */
const patience = 300;

/** The extension's default limits. */
const limits: RunLimits = {
  maxLineBytes: 1024 * 1024,
  maxMessageBytes: 64 * 1024 * 1024,
  maxMemory: 64 * 1024 * 1024,
  initializeTimeout: 60_000,
  waitingNotice: 5000,
  stop: { close: 3000, terminate: 2000 },
};

/** Runs one agent with the extension's core, and records what happens. */
export class Trial {
  readonly run: Run;
  /** All events on the wire. */
  readonly events: WireEvent[] = [];
  readonly steps: Step[] = [];
  readonly checks = new Checks();
  readonly permissions = new ScriptedPermissions();
  /** How often the user was asked to log in. */
  logins = 0;
  /** Lines that the output channel would show. */
  readonly channel: readonly string[];
  /** Members of the process group at the time of the stop. */
  group: readonly ProcessInfo[] = [];

  constructor(
    readonly agent: RunDefinition,
    readonly sandbox: Sandbox,
    private readonly env: NodeJS.ProcessEnv,
    private readonly reaper: ProcessReaper,
  ) {
    const spec = runSpec(agent, { workspaceFolder: sandbox.project, userHome: sandbox.home, env });
    const common = {
      agentName: agent.name,
      clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: '0.0.0-test' },
      setLevelTimeout: 5000,
    };
    this.run = new Run({
      id: agent.name,
      agent,
      spec,
      level: 'info',
      limits,
      redactor: undefined,
      ...protocolSupport(agent, spec, {
        reaper,
        acp: {
          ...common,
          askPermission: this.permissions.ask,
          chooseAuthMethod: () => {
            this.logins++;
            return Promise.resolve(undefined);
          },
        },
        lsp: {
          ...common,
          workspaceFolders: () => [sandbox.project],
          showMessage: () => Promise.resolve(undefined),
          loadLanguageClient: () => Promise.resolve(createPlainLanguageClient),
        },
        mcp: { ...common, workspaceFolders: () => [sandbox.project], probeTimeout: 3000 },
      }),
      now: Date.now,
      journal: journalIn(sandbox.journals, agent, spec),
    });
    this.run.onEvent((event) => this.events.push(event));
    this.channel = channelLines(this.run);
  }

  /** A trial of another agent in the same sandbox. */
  beside(agent: RunDefinition): Trial {
    return new Trial(agent, this.sandbox, this.env, this.reaper);
  }

  /** Runs a step and records how long it took. Fails if it takes longer than `seconds`. */
  async step<T>(name: string, work: () => Promise<T>, seconds = patience): Promise<T> {
    const start = performance.now();
    try {
      return await within(work(), seconds * 1000, name);
    } finally {
      this.steps.push({ name, ms: Math.round(performance.now() - start) });
    }
  }

  start(): Promise<void> {
    const { token } = new CancellationTokenSource();
    return this.step('start', () => this.run.start({ token, onWaiting: () => undefined }));
  }

  /** Starts the agent, and opens a session of a user with this habit. */
  async open(habit?: PermissionHabit): Promise<string> {
    await this.start();
    if (habit) this.permissions.habit = habit;
    return this.newSession();
  }

  newSession(): Promise<string> {
    return this.step('session', () => this.run.newSession());
  }

  /** Returns the stop reason. */
  prompt(sessionId: string, text: string, seconds?: number): Promise<string> {
    const turn = this.step('prompt', () => this.run.prompt(sessionId, text), seconds);
    const reason = turn.then(({ stopReason }) => stopReason);
    // If the scenario fails in the meantime, nothing awaits this.
    reason.catch(() => undefined);
    return reason;
  }

  /** Calls a tool. Returns the text of its result. */
  async callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<string> {
    const result = await this.step(name, () => this.run.callTool(name, args, options));
    return arrayOf(result['content'])
      .map((part) => textOf(objectOf(part)['text']) ?? '')
      .join('\n');
  }

  /** Returns the error that the work was refused with, or `undefined`. */
  async refusal(work: Promise<unknown>): Promise<unknown> {
    try {
      await work;
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Waits for a matching record. */
  until(pattern: RecordPattern, seconds = patience): Promise<LogRecord> {
    const found = recordOf(this.run, (record) => fits(record, pattern));
    return this.step(`until ${describe(pattern)}`, () => found, seconds);
  }

  stop(grace?: StopGrace): Promise<Termination> {
    this.group = this.run.pid === undefined ? [] : groupMembers(this.run.pid);
    return this.step('stop', () => this.run.stop(grace), 15);
  }

  /** Waits for the agent to exit without being stopped. */
  ended(seconds = patience): Promise<Termination> {
    return this.step('until it ends', () => ended(this.run), seconds);
  }

  /** Checks how the agent exits by itself. */
  async ends(expected: readonly [reason: string, exitCode: number], seconds?: number): Promise<void> {
    const { reason, exitCode } = await this.ended(seconds);
    this.checks.equal('the termination', [reason, exitCode], expected);
  }

  async stopsWell(): Promise<void> {
    const { reason, exitCode } = await this.stop();
    this.checks.equal('the termination', [reason, exitCode], ['completed', 0]);
  }

  wait(ms: number): Promise<void> {
    return this.step('wait', () => delay(ms));
  }

  /** The agent's PID, for sending signals like another process would. */
  get pid(): number {
    if (this.run.pid === undefined) throw new Error('the agent was not started');
    return this.run.pid;
  }

  /** The first session. */
  get sessionId(): string {
    return this.run.log.sessions[0]?.id ?? '';
  }

  onlySession(): string {
    this.checks.equal('the number of sessions', this.run.log.sessions.length, 1);
    return this.sessionId;
  }

  /** The records of a session, oldest first. */
  recordsOf(sessionId: string): LogRecord[] {
    return this.run.log.store.query({ sessionId });
  }

  /** The records of a session at level warning and above. */
  troubles(sessionId: string): LogRecord[] {
    return this.run.log.store.query({ sessionId, minLevel: 'warning' });
  }

  /** The outcome of a session's last turn. */
  lastTurnOf(sessionId: string): string | undefined {
    return this.run.log.find(sessionId)?.summary?.lastTurn?.outcome;
  }

  /** The diagnoses of the run, oldest first; optionally only those with one code. */
  diagnoses(code?: string): LogRecord[] {
    const all = this.run.log.store.query({ kinds: ['diagnosis'] });
    return code === undefined ? all : all.filter(({ logger }) => logger === code);
  }

  /** The records of the connection, oldest first. */
  get connectionRecords(): LogRecord[] {
    return this.run.log.store.query({ sessionId: null });
  }
}
