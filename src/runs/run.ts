import type { CancellationToken, Event } from 'vscode-jsonrpc/node';
import { Emitter } from 'vscode-jsonrpc/node';
import type { Threshold } from '../log/level';
import { RecordStore } from '../log/store';
import { AcpInterpreter } from '../protocols/acp/acpInterpreter';
import type { JsonObject, RequestId } from '../protocols/json';
import type { JournalWriter } from '../wire/journalWriter';
import type { WireEvent } from '../wire/wireEvent';
import type { AcpClient, AcpClientOptions, AgentLevelResult } from './acpClient';
import type { AgentConnection } from './agentConnection';
import { connect } from './agentConnection';
import type { StopGrace } from './agentProcess';
import { AgentProcess } from './agentProcess';
import { HumanError, messageOf } from './humanError';
import type { AgentDefinition, LaunchSpec } from './launchSpec';
import type { ProcessReaper } from './processReaper';
import { RunLog } from './runLog';
import type { LineRedactor } from './runReader';
import { RunReader } from './runReader';
import type { Termination } from '../log/termination';
import { terminationOf } from './termination';
import { lastWords } from './lastWords';
import { startError } from './startError';
import { Cancelled, unlessCancelled, waitFor } from './waiting';

/** An agent that closes its standard output usually ends at once; longer than this, in milliseconds, and it is ended. */
const closedStdoutGrace = 500;
/** A process whose pipes are closed is gone within this time, in milliseconds. */
const endGrace = 100;

/** Where a run stands in its life. */
export type RunState =
  | { readonly type: 'starting' }
  /** `agent` is the answer to `initialize`. */
  | { readonly type: 'running'; readonly agent: JsonObject }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly at: number; readonly termination: Termination };

export interface RunLimits {
  /** Longer lines are reported by their beginning, in bytes. */
  readonly maxLineBytes: number;
  /** About how much memory the records may take, in bytes. */
  readonly maxMemory: number;
  /** How long `initialize` may take, in milliseconds. */
  readonly initializeTimeout: number;
  /** How often a notice says what is waited for, in milliseconds. */
  readonly waitingNotice: number;
  readonly stop: StopGrace;
}

export interface RunOptions {
  readonly id: string;
  readonly agent: AgentDefinition;
  readonly spec: LaunchSpec;
  readonly level: Threshold;
  readonly limits: RunLimits;
  readonly client: AcpClientOptions;
  readonly reaper: ProcessReaper;
  /** Takes secrets out of what is kept and shown. */
  readonly redactor?: LineRedactor;
  /** Keeps everything that crosses; closed when the run has ended. */
  readonly journal?: JournalWriter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a caller of `start` gets told on the way. */
export interface StartProgress {
  readonly token: CancellationToken;
  readonly onWaiting: (ms: number) => void;
}

/** One life of one agent: its process, the client that speaks to it, and the log that is read off the wire between them. */
export class Run {
  readonly id: string;
  readonly name: string;
  readonly protocol = 'acp';
  readonly startedAt: number;
  readonly log: RunLog;
  private readonly stateEmitter = new Emitter<RunState>();
  readonly onDidChangeState = this.stateEmitter.event;
  private readonly levelEmitter = new Emitter<Threshold>();
  readonly onDidChangeLevel = this.levelEmitter.event;
  private readonly reader: RunReader;
  private currentState: RunState = { type: 'starting' };
  private currentLevel: Threshold;
  private process: AgentProcess | undefined;
  private client: AcpClient | undefined;
  private begun = false;
  private stoppedByUs = false;
  /** Why the run fails, where its process does not tell. */
  private failure: Pick<Termination, 'reason' | 'terminatedBy' | 'message'> | undefined;

  constructor(private readonly options: RunOptions) {
    this.id = options.id;
    this.name = options.agent.name;
    this.currentLevel = options.level;
    this.startedAt = options.now();
    this.log = new RunLog(new RecordStore(options.limits.maxMemory), this.startedAt);
    this.reader = new RunReader(this.log, new AcpInterpreter(this.log), options.now, options.redactor, options.journal);
  }

  /** Every wire event, as it comes. */
  get onEvent(): Event<WireEvent> {
    return this.reader.onEvent;
  }

  get state(): RunState {
    return this.currentState;
  }

  /** The level that is asked for, and shown. */
  get level(): Threshold {
    return this.currentLevel;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get definition(): AgentDefinition {
    return this.options.agent;
  }

  get spec(): LaunchSpec {
    return this.options.spec;
  }

  get journal(): JournalWriter | undefined {
    return this.options.journal;
  }

  get canCloseSessions(): boolean {
    return this.client?.canCloseSessions ?? false;
  }

  /**
   * Starts the agent and greets it; settles when it has answered `initialize`. To be called once.
   * @throws HumanError when it could not be started, ended, was too slow, or speaks another version; the run has then ended
   */
  async start(progress: StartProgress): Promise<void> {
    this.begun = true;
    try {
      this.process = await AgentProcess.start(this.options.spec, this.options.reaper);
    } catch (error) {
      this.fail(messageOf(error));
      if (error instanceof HumanError) error.runId = this.id;
      throw error;
    }
    const client = (this.client = this.connect(this.process));
    if (this.stoppedByUs) void this.process.stop(this.options.limits.stop);
    try {
      const declared = this.currentLevel;
      const agent = await this.initialize(client, progress);
      if (this.currentState.type === 'starting') this.enter({ type: 'running', agent });
      // It may have been changed while the agent was starting.
      if (this.currentLevel !== declared) void client.setLevel(this.currentLevel);
    } catch (error) {
      throw await this.startError(error);
    }
  }

  /**
   * Opens a session in a folder (the agent's own by default); answers its id.
   * @param token asks the agent to give it up, and waits no longer
   */
  newSession(cwd?: string, token?: CancellationToken): Promise<string> {
    const opened = this.ask((client) => client.newSession(cwd ?? this.options.spec.cwd, token));
    return token ? unlessCancelled(opened, token) : opened;
  }

  prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    return this.ask((client) => client.prompt(sessionId, text));
  }

  cancel(target: { readonly sessionId: string } | { readonly requestId: RequestId }): Promise<void> {
    return this.ask((client) =>
      'sessionId' in target ? client.cancelTurn(target.sessionId) : client.cancelRequest(target.requestId),
    );
  }

  closeSession(sessionId: string): Promise<void> {
    return this.ask((client) => client.closeSession(sessionId));
  }

  setMode(sessionId: string, modeId: string): Promise<void> {
    return this.ask((client) => client.setMode(sessionId, modeId));
  }

  /** Gates the view at once, and asks the agent for the level where it is running. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    this.currentLevel = level;
    this.levelEmitter.fire(level);
    if (this.currentState.type !== 'running' || !this.client) return 'unsupported';
    return this.client.setLevel(level);
  }

  /** Ends the agent and all that it started; settles when it is gone. A second call does not wait before the next step. */
  async stop(grace: StopGrace = this.options.limits.stop): Promise<Termination> {
    if (this.currentState.type === 'ended') return this.currentState.termination;
    const again = this.stoppedByUs;
    this.stoppedByUs = true;
    if (this.process) {
      if (!again) await this.takeLeave();
      this.enter({ type: 'stopping' });
      void this.process.stop(grace);
    } else if (!this.begun) this.fail('stopped before it was started');
    return this.ended();
  }

  /** Cancels the turns that run, so that the agent does not go on working while it is asked to end. */
  private async takeLeave(): Promise<void> {
    const turns = this.log.requests.filter(
      ({ method, direction }) => method === 'session/prompt' && direction === 'out',
    );
    this.client?.withdraw();
    await Promise.allSettled(
      turns.map(({ sessionId = '' }) => this.client?.cancelTurn(sessionId) ?? Promise.resolve()),
    );
  }

  private connect(process: AgentProcess): AcpClient {
    const { limits, now, spec, client } = this.options;
    this.reader.accept({ ev: 'spawn', pid: process.pid, command: [spec.command, ...spec.args], cwd: spec.cwd });
    process.onEvent((event) => this.reader.accept(event));
    const connection = connect(process, {
      maxLineBytes: limits.maxLineBytes,
      now,
      onEvent: (event) => this.reader.acceptLine(event),
      onSlice: () => this.reader.flush(),
      isBehind: () => this.options.journal?.isBehind ?? false,
      client,
    });
    void this.watchEnd(process, connection);
    return connection.client;
  }

  /** The end of the process, of its output, or of both in whatever order. */
  private async watchEnd(process: AgentProcess, { client, stdoutRead, stderrRead }: AgentConnection): Promise<void> {
    void stdoutRead.then(() => {
      // Nothing can be answered any more: whoever waits is told, though the process may live on.
      void client.finish();
      const timer = setTimeout(() => this.loseConnection(process), closedStdoutGrace);
      void process.gone.then(() => clearTimeout(timer));
    });
    const exit = await process.exited;
    await Promise.all([stdoutRead, stderrRead]);
    const [unanswered] = this.log.requests.filter(({ direction }) => direction === 'out');
    this.reader.accept({ ev: 'exit', ...exit });
    const stderr = this.reader.stderrExcerpt;
    const termination = {
      ...terminationOf(exit, this.stoppedByUs, unanswered?.method),
      ...this.failure,
      ...(stderr && { stderr }),
    };
    this.enter({ type: 'ended', at: this.options.now(), termination });
  }

  private loseConnection(process: AgentProcess): void {
    if (this.stoppedByUs) return;
    this.failure ??= { reason: 'error', terminatedBy: 'agent', message: 'closed its standard output' };
    this.reader.accept({ ev: 'stdout-close' });
    this.enter({ type: 'stopping' });
    void process.stop(this.options.limits.stop);
  }

  private initialize(client: AcpClient, { token, onWaiting }: StartProgress): Promise<JsonObject> {
    const { initializeTimeout, waitingNotice } = this.options.limits;
    return waitFor(client.initialize(this.currentLevel, token), {
      token,
      timeout: initializeTimeout,
      every: waitingNotice,
      onWaiting: (ms) => {
        this.reader.accept({ ev: 'waiting', method: 'initialize', ms });
        onWaiting(ms);
      },
    });
  }

  /** Ends a run that did not get going, and says why in one message. */
  private async startError(error: unknown): Promise<Error> {
    const wasStopped = this.stoppedByUs;
    // Where the process ends, a failed answer is a consequence: let it say how it ended.
    await Promise.race([this.ended(), after(endGrace)]);
    const died = this.currentState.type === 'ended' ? this.currentState.termination : undefined;
    if (wasStopped || error instanceof Cancelled) {
      await this.stop();
      return new Cancelled();
    }
    const told = startError({ name: this.name, error, died, lastWords: lastWords(this.reader.stderrExcerpt) });
    told.runId = this.id;
    if (!died) {
      this.failure = { reason: 'error', terminatedBy: 'client', message: 'did not start' };
      this.reader.accept({ ev: 'start-failed', message: told.message });
      await this.stop();
    }
    return told;
  }

  private ended(): Promise<Termination> {
    if (this.currentState.type === 'ended') return Promise.resolve(this.currentState.termination);
    return new Promise((resolve) => {
      const listener = this.onDidChangeState((state) => {
        if (state.type !== 'ended') return;
        listener.dispose();
        resolve(state.termination);
      });
    });
  }

  private async ask<T>(request: (client: AcpClient) => Promise<T>): Promise<T> {
    if (this.currentState.type !== 'running' || !this.client) {
      throw new HumanError(`${this.name} is not running. Start it first.`);
    }
    try {
      return await request(this.client);
    } catch (error) {
      if (this.stoppedByUs) throw new Cancelled(); // whoever stopped it knows why
      if (error instanceof HumanError) error.runId = this.id;
      throw error;
    }
  }

  private fail(message: string): void {
    this.reader.accept({ ev: 'start-failed', message });
    const termination: Termination = { reason: 'error', terminatedBy: 'system', message };
    this.enter({ type: 'ended', at: this.options.now(), termination });
  }

  private enter(state: RunState): void {
    this.currentState = state;
    if (state.type === 'ended') void this.options.journal?.close();
    this.stateEmitter.fire(state);
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
