import { setTimeout as delay } from 'node:timers/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Event } from '../log/emitter';
import { Emitter } from '../log/emitter';
import type { Threshold } from '../log/level';
import type { Protocol } from '../log/protocol';
import { RecordStore } from '../log/store/store';
import type { Termination } from '../log/termination';
import type { JsonObject, RequestId } from '../protocols/json';
import type { JournalWriter } from '../wire/journal/journalWriter';
import type { WireEvent } from '../wire/wireEvent';
import type {
  AgentClient,
  AgentLevelResult,
  SessionClient,
  Tool,
  ToolCallOptions,
  ToolClient,
} from './connection/agentClient';
import type { AgentConnection } from './connection/agentConnection';
import type { StopGrace } from './process/agentProcess';
import { Faults } from './reading/faults';
import { HumanError, messageOf } from './humanError';
import { wordsOf } from './config/launchSpec';
import { noSessions, notOurs, noTools } from './connection/notOffered';
import { redactedSink } from './reading/redactedSink';
import { redactError, redactWords } from './reading/redactEvent';
import { RunLog } from './runLog';
import type { RunOptions, StartProgress } from './runOptions';
import { RunReader } from './reading/runReader';
import { startError } from './connection/startError';
import { terminationOf } from '../protocols/termination';
import { unlessUnusable } from './connection/unusableAnswer';
import { Cancelled, unlessCancelled, waitFor } from './waiting';

/** A process whose pipes are closed is gone within this time, in milliseconds. */
const endGrace = 100;
/** One that takes nothing more has ended, or is about to: on a busy machine it takes its time until that is known. */
const brokenPipeGrace = 2000;

/** Where a run stands in its life. */
export type RunState =
  | { readonly type: 'starting' }
  /** `agent` is the answer to `initialize`. */
  | { readonly type: 'running'; readonly agent: JsonObject }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly at: number; readonly termination: Termination };

/** One life of one agent: the connection to it, and the log that is read off the wire. */
export class Run {
  readonly id: string;
  readonly name: string;
  readonly protocol: Protocol;
  readonly startedAt: number;
  readonly log: RunLog;
  private readonly stateEmitter = new Emitter<RunState>();
  readonly onDidChangeState = this.stateEmitter.event;
  private readonly levelEmitter = new Emitter<Threshold>();
  readonly onDidChangeLevel = this.levelEmitter.event;
  private readonly faults: Faults;
  private readonly reader: RunReader;
  private currentState: RunState = { type: 'starting' };
  private currentLevel: Threshold;
  private connection: AgentConnection | undefined;
  private begun = false;
  private stoppedByUs = false;
  /** Why the run fails, where the end of its process does not tell. */
  private failure: Pick<Termination, 'reason' | 'terminatedBy' | 'message'> | undefined;

  constructor(private readonly options: RunOptions) {
    this.id = options.id;
    this.name = options.agent.name;
    this.protocol = options.agent.protocol;
    this.currentLevel = options.level;
    this.startedAt = options.now();
    this.log = new RunLog(new RecordStore(options.limits.maxMemory, options.spill), this.startedAt);
    this.faults = new Faults(this.name, options.onFault ?? (() => undefined), options.redactor);
    this.reader = new RunReader(
      this.log,
      options.interpreter(redactedSink(this.log, options.redactor)),
      options.now,
      options.redactor,
      options.journal,
      this.faults.onFault,
    );
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
    return this.connection?.pid;
  }

  get definition(): RunOptions['agent'] {
    return this.options.agent;
  }

  get words(): readonly string[] {
    return redactWords(wordsOf(this.options.spec), this.options.redactor);
  }

  get cwd(): string {
    return this.options.spec.cwd;
  }

  /** Whether another extension runs the agent, and hands over what crosses. */
  get isPublished(): boolean {
    return this.options.isPublished ?? false;
  }

  get journal(): JournalWriter | undefined {
    return this.options.journal;
  }

  get canCloseSessions(): boolean {
    return this.connection?.client.sessions?.canCloseSessions ?? false;
  }

  /**
   * Starts the agent and greets it; settles when it has answered. To be called once.
   * @throws HumanError when it could not be started, ended, was too slow, or speaks another version; the run has then ended
   */
  async start(progress: StartProgress): Promise<void> {
    this.begun = true;
    try {
      this.connection = await this.connect();
    } catch (error) {
      this.fail(messageOf(error));
      if (error instanceof HumanError) error.runId = this.id;
      throw error;
    }
    const { client } = this.connection;
    if (this.stoppedByUs) {
      this.connection.stop(this.options.limits.stop);
      await this.ended();
      throw new Cancelled();
    }
    try {
      const declared = this.currentLevel;
      const agent = await this.initialize(client, progress);
      if (this.wasStopped()) throw new Cancelled();
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
    const opened = this.sessions((sessions) => sessions.newSession(cwd ?? this.options.spec.cwd, token));
    return token ? unlessCancelled(opened, token) : opened;
  }

  prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    return this.sessions((sessions) => sessions.prompt(sessionId, text));
  }

  cancel(target: { readonly sessionId: string } | { readonly requestId: RequestId }): Promise<void> {
    return 'sessionId' in target
      ? this.sessions((sessions) => sessions.cancelTurn(target.sessionId))
      : this.ask((client) => client.cancelRequest(target.requestId));
  }

  closeSession(sessionId: string): Promise<void> {
    return this.sessions((sessions) => sessions.closeSession(sessionId));
  }

  setMode(sessionId: string, modeId: string): Promise<void> {
    return this.sessions((sessions) => sessions.setMode(sessionId, modeId));
  }

  /** The tools that can be called. */
  listTools(token?: CancellationToken): Promise<readonly Tool[]> {
    return this.tools((tools) => tools.listTools(token));
  }

  /**
   * Calls a tool; answers its result as it came, which may say `isError`.
   * @throws Cancelled as soon as it is cancelled, whatever the server does
   */
  callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<JsonObject> {
    return this.tools((tools) => tools.callTool(name, args, options));
  }

  /** Gates the view at once, and asks the agent for the level where it is running. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    this.currentLevel = level;
    this.levelEmitter.fire(level);
    const isRunning = this.currentState.type === 'running';
    return (isRunning && this.connection?.client.setLevel(level)) || 'unsupported';
  }

  /** Ends the agent and all that it started; settles when it is gone. A second call does not wait before the next step. */
  async stop(grace: StopGrace = this.options.limits.stop): Promise<Termination> {
    if (this.currentState.type === 'ended') return this.currentState.termination;
    const again = this.stoppedByUs;
    this.stoppedByUs = true;
    this.journal?.hurry();
    if (this.connection) {
      // One that reads no more cannot be told.
      if (!again) await Promise.race([this.connection.client.takeLeave(this.log.requests), delay(endGrace)]);
      this.enter({ type: 'stopping' });
      this.connection.stop(grace);
    } else if (!this.begun) this.fail('stopped before it was started');
    return this.ended();
  }

  /** Also meanwhile. */
  private wasStopped(): boolean {
    return this.stoppedByUs;
  }

  private async connect(): Promise<AgentConnection> {
    const { limits, now, connect, journal } = this.options;
    const connection = await connect({
      maxLineBytes: limits.maxLineBytes,
      maxMessageBytes: limits.maxMessageBytes,
      now,
      onEvent: (event) => this.reader.acceptLine(event),
      takeLine: (chunk, start, end) => this.reader.takeLine(chunk, start, end),
      onPiece: (dir, bytes) => this.reader.acceptPiece(dir, bytes),
      onProcessEvent: (event) => this.reader.accept(event),
      onSlice: () => this.reader.flush(),
      onLost: (message) => this.lose(message),
      isBehind: () => journal?.isBehind ?? false,
      onFault: this.faults.onFault,
    });
    void this.watchEnd(connection);
    return connection;
  }

  private async watchEnd(connection: AgentConnection): Promise<void> {
    const exit = await connection.ended;
    const [unanswered] = this.log.requests.filter(({ direction }) => direction === 'out');
    if (exit) this.reader.accept({ ev: 'exit', ...exit });
    const { stderrExcerpt: stderr, endCause: cause } = this.reader;
    const termination = {
      ...terminationOf(exit, this.stoppedByUs, unanswered?.method),
      ...this.failure,
      ...connection.termination,
      ...(stderr && { stderr }),
      ...(cause && { cause }),
    };
    this.end(this.log.store.sessionIds.inValue(termination));
  }

  private lose(message: string): void {
    if (this.stoppedByUs) return;
    this.failure ??= { reason: 'error', terminatedBy: 'agent', message };
    this.journal?.hurry();
    this.enter({ type: 'stopping' });
    this.connection?.stop(this.options.limits.stop);
  }

  private initialize(client: AgentClient, { token, onWaiting }: StartProgress): Promise<JsonObject> {
    const { initializeTimeout, waitingNotice } = this.options.limits;
    return waitFor(
      unlessUnusable(this.name, client.initialize(this.currentLevel, token), () => this.reader.unusableAnswer),
      {
        token,
        timeout: initializeTimeout,
        every: waitingNotice,
        onWaiting: (ms) => {
          this.reader.accept({ ev: 'waiting', method: 'initialize', ms });
          onWaiting(ms);
        },
      },
    );
  }

  /** Ends a run that did not get going, and says why in one message. */
  private async startError(error: unknown): Promise<Error> {
    const wasStopped = this.stoppedByUs;
    // Where the process ends, a failed answer is a consequence: let it say how it ended.
    await Promise.race([this.ended(), delay(/\bEPIPE\b/.test(messageOf(error)) ? brokenPipeGrace : endGrace)]);
    const died = this.currentState.type === 'ended' ? this.currentState.termination : undefined;
    if (wasStopped || error instanceof Cancelled) {
      await this.stop();
      return new Cancelled();
    }
    const told = startError({ name: this.name, protocol: this.protocol, error, died, cause: this.reader.endCause });
    redactError(told, this.options.redactor).runId = this.id;
    if (!died) {
      this.failure = { reason: 'error', terminatedBy: 'client', message: `did not start: ${told.message}` };
      this.reader.accept({ ev: 'start-failed', message: told.message });
      await this.stop();
    }
    return told;
  }

  /** Settles when the agent is gone. */
  ended(): Promise<Termination> {
    if (this.currentState.type === 'ended') return Promise.resolve(this.currentState.termination);
    return new Promise((resolve) => {
      const listener = this.onDidChangeState((state) => {
        if (state.type !== 'ended') return;
        listener.dispose();
        resolve(state.termination);
      });
    });
  }

  private sessions<T>(request: (sessions: SessionClient) => Promise<T>): Promise<T> {
    return this.ask(({ sessions }) => {
      if (sessions) return request(sessions);
      throw noSessions(this.name, this.protocol);
    });
  }

  private tools<T>(request: (tools: ToolClient) => Promise<T>): Promise<T> {
    return this.ask(({ tools }) => {
      if (tools) return request(tools);
      throw noTools(this.name, this.protocol);
    });
  }

  private async ask<T>(request: (client: AgentClient) => Promise<T>): Promise<T> {
    const { type } = this.currentState;
    if (type === 'starting') throw new HumanError(`${this.name} is still starting. Wait until it runs, or stop it.`);
    if (type !== 'running' || !this.connection) {
      throw new HumanError(`${this.name} is not running. Start it first.`);
    }
    if (this.isPublished) throw notOurs(this.name);
    try {
      return await request(this.connection.client);
    } catch (error) {
      if (this.stoppedByUs) throw new Cancelled(); // whoever stopped it knows why
      if (error instanceof HumanError) redactError(error, this.options.redactor).runId = this.id;
      throw error;
    }
  }

  private fail(message: string): void {
    this.reader.accept({ ev: 'start-failed', message });
    this.end({ reason: 'error', terminatedBy: 'system', message });
  }

  private end(termination: Termination): void {
    const { reason, terminatedBy, message } = termination;
    this.reader.accept({ ev: 'end', reason, terminatedBy, ...(message !== undefined && { message }) });
    void this.options.journal?.close();
    this.enter({ type: 'ended', at: this.options.now(), termination });
  }

  private enter(state: RunState): void {
    // It may have ended by itself while it was told that it should.
    if (this.currentState.type === 'ended') return;
    this.currentState = state;
    this.stateEmitter.fire(state);
  }
}
