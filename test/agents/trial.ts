import { setTimeout as delay } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../src/log/record';
import type { AgentDefinition } from '../../src/runs/config/launchSpec';
import type { ToolCallOptions } from '../../src/runs/connection/agentClient';
import type { JsonObject } from '../../src/protocols/json';
import { arrayOf, objectOf, textOf } from '../../src/protocols/json';
import { runSpec } from '../../src/runs/config/launchSpec';
import type { StopGrace } from '../../src/runs/process/agentProcess';
import type { ProcessReaper } from '../../src/runs/process/processReaper';
import type { RunLimits } from '../../src/runs/runOptions';
import { Run } from '../../src/runs/run';
import { protocolSupport } from '../../src/runs/connection/connectors';
import type { Termination } from '../../src/log/termination';
import type { WireEvent } from '../../src/wire/wireEvent';
import { createPlainLanguageClient } from '../support/plainLanguageClient';
import { channelLines } from './channelView';
import type { RecordPattern } from './checks';
import { Checks, describe, fits } from './checks';
import { within } from './deadline';
import { journalIn } from './journal';
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
  maxMessageBytes: 64 * 1024 * 1024,
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
    readonly agent: AgentDefinition,
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

  /** Another agent in the same sandbox, looked on by itself. */
  beside(agent: AgentDefinition): Trial {
    return new Trial(agent, this.sandbox, this.env, this.reaper);
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

  /** Calls a tool; answers the text of its result. */
  async callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<string> {
    const result = await this.step(name, () => this.run.callTool(name, args, options));
    return arrayOf(result['content'])
      .map((part) => textOf(objectOf(part)['text']) ?? '')
      .join('\n');
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

  /** Settles when it has ended by itself. */
  ended(seconds = 60): Promise<Termination> {
    const ended = new Promise<Termination>((resolve) => {
      const look = (): void => {
        const { state } = this.run;
        if (state.type !== 'ended') return;
        listener.dispose();
        resolve(state.termination);
      };
      const listener = this.run.onDidChangeState(look);
      look();
    });
    return this.step('until it ends', () => ended, seconds);
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

  /** How the last turn of a session is said to have ended. */
  lastTurnOf(sessionId: string): string | undefined {
    return this.run.log.find(sessionId)?.summary?.lastTurn?.outcome;
  }

  /** What was made of what came, oldest first: all of it, or what has one code. */
  diagnoses(code?: string): LogRecord[] {
    const all = this.run.log.store.query({ kinds: ['diagnosis'] });
    return code === undefined ? all : all.filter(({ logger }) => logger === code);
  }

  /** The records of the connection, oldest first. */
  get connectionRecords(): LogRecord[] {
    return this.run.log.store.query({ sessionId: null });
  }
}
