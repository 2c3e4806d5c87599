import { inEnglish, t } from '../text/translator';
import { setTimeout as delay } from 'node:timers/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Event } from '../text/emitter';
import { Emitter } from '../text/emitter';
import type { Threshold } from '../text/level';
import type { Protocol } from '../wire/protocol';
import { RecordStore } from '../store/store';
import type { Termination } from '../wire/termination';
import type { JsonObject, RequestId } from '../text/json';
import { boundedSessionId } from '../protocols/sessionIds';
import type { JournalWriter } from '../wire/journal/journalWriter';
import type { ProcessEvent, WireEvent, Why } from '../wire/wireEvent';
import { connectionWords } from '../protocols/connectionWords';
import { AgentRequests } from './agentRequests';
import type { AgentClient, AgentLevelResult, EarlierSession, Tool, ToolCallOptions } from './connection/agentClient';
import type { AgentConnection } from './connection/agentConnection';
import type { StopGrace } from './process/agentProcess';
import type { OnFault } from '../runLog/reading/faults';
import { faultReporter } from '../runLog/reading/faults';
import { HumanError, messageOf } from '../text/humanError';
import { wordsOf } from './config/launchSpec';
import { redactedSink } from '../runLog/reading/forwardingSink';
import { redactedLine, redactError, redactObject, redactWords } from '../runLog/reading/redactEvent';
import { RunLog } from '../runLog/runLog';
import type { RunOptions, StartProgress } from './runOptions';
import type { RunState } from '../runLog/runState';
import { RunLife } from '../runLog/runState';
import { LiveReader } from './liveReader';
import type { TerminationTracker } from '../runLog/reading/terminationTracker';
import { startError, unlessUnusable } from './connection/startError';
import { Cancelled, unlessCancelled, waitFor } from '../time/waiting';

/** How long a process may take to exit after closing its pipes, in milliseconds. */
const endGrace = 100;
/** How long an exited or unresponsive process may take to end completely, in milliseconds: it can be slow on Windows or a busy machine. */
const endingGrace = 4000;

/** One run of an agent: its connection, and the log that is read off the wire. */
export class Run {
  readonly type = 'live';
  readonly id: string;
  readonly name: string;
  readonly protocol: Protocol;
  readonly definition: RunOptions['agent'];
  /** Redacted. */
  readonly cwd: string;
  /** True if another extension runs the agent and passes on its traffic. */
  readonly isPublished: boolean;
  readonly journal: JournalWriter | undefined;
  /** Its journal is redacted when it is written. */
  readonly redaction = undefined;
  readonly startedAt: number;
  readonly log: RunLog;
  private readonly life = new RunLife();
  readonly onDidChangeState = this.life.onDidChange;
  private readonly levelEmitter = new Emitter<Threshold>();
  readonly onDidChangeLevel = this.levelEmitter.event;
  private readonly onFault: OnFault;
  private readonly reader: LiveReader;
  private readonly requests: AgentRequests;
  private readonly tracker: TerminationTracker;
  /** Fires for every wire event. */
  readonly onEvent: Event<WireEvent>;
  private currentLevel: Threshold;
  private connection: AgentConnection | undefined;
  private begun = false;

  constructor(private readonly options: RunOptions) {
    this.id = options.id;
    this.name = options.agent.name;
    this.protocol = options.agent.protocol;
    this.definition = options.agent;
    this.cwd = redactedLine(options.spec.cwd, options.redactor);
    this.isPublished = options.isPublished ?? false;
    this.journal = options.journal;
    this.currentLevel = options.level;
    this.startedAt = options.now();
    this.log = new RunLog(new RecordStore(options.limits.maxMemory, options.spill), this.startedAt);
    this.onFault = faultReporter(this.name, options.onFault ?? (() => undefined), options.redactor);
    this.reader = new LiveReader(this.log, options.interpretation(redactedSink(this.log, options.redactor)), {
      now: options.now,
      redactor: options.redactor,
      journal: options.journal,
      onFault: this.onFault,
    });
    ({ tracker: this.tracker, onEvent: this.onEvent } = this.reader.run);
    this.requests = new AgentRequests(this, options.redactor);
  }

  get state(): RunState {
    return this.life.state;
  }

  get agent(): JsonObject | undefined {
    return this.life.agent;
  }

  /** True if the user, or a failed start, is stopping the run. */
  get isStopping(): boolean {
    return this.tracker.isStopping;
  }

  get client(): AgentClient | undefined {
    return this.connection?.client;
  }

  /** The requested and shown level. */
  get level(): Threshold {
    return this.currentLevel;
  }

  get pid(): number | undefined {
    return this.connection?.pid;
  }

  get words(): readonly string[] {
    return redactWords(wordsOf(this.options.spec), this.options.redactor);
  }

  /** Whether a session was opened or resumed here. Agents may log about others. */
  hasOpened(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.client?.sessions?.hasOpened(sessionId) === true;
  }

  canCancelSubagent(sessionId: string): boolean {
    return this.client?.sessions?.canCancelSubagent(sessionId) ?? false;
  }

  get canResumeSessions(): boolean {
    return this.client?.sessions?.canResumeSessions ?? false;
  }

  get canCloseSessions(): boolean {
    return this.client?.sessions?.canCloseSessions ?? false;
  }

  /**
   * Starts and initializes the agent. Call once.
   * @throws HumanError if it couldn't be started, ended, timed out, or uses another version; the run has then ended
   */
  async start(progress: StartProgress): Promise<void> {
    this.begun = true;
    try {
      this.connection = await this.connect();
    } catch (error) {
      if (error instanceof Error) redactError(error, this.options.redactor);
      const missing = error instanceof HumanError ? error.missing : undefined;
      if (missing && error instanceof HumanError) this.tracker.explain({ message: error.words });
      this.end({ ev: 'start-failed', message: messageOf(error), ...(missing && { missing }) });
      if (error instanceof HumanError) error.runId = this.id;
      throw error;
    }
    const { client } = this.connection;
    if (this.isStopping) {
      this.connection.stop(this.options.limits.stop);
      await this.ended();
      throw new Cancelled();
    }
    try {
      const declared = this.currentLevel;
      const agent = await this.initialize(client, progress);
      if (this.tracker.isStopping) throw new Cancelled();
      if (this.state.type === 'starting') {
        this.life.enter({ type: 'running', agent: redactObject(agent, this.options.redactor) });
      }
      // It may have been changed while the agent was starting.
      if (this.currentLevel !== declared) void client.setLevel(this.currentLevel);
    } catch (error) {
      throw await this.startError(error);
    }
  }

  /**
   * Opens a session in a folder (default: the agent's working directory). Returns its ID.
   * @param token asks the agent to cancel it, and stops waiting
   */
  newSession(cwd = this.options.spec.cwd, token?: CancellationToken): Promise<string> {
    const opened = this.requests.sessions((sessions) => sessions.newSession(cwd, token));
    return token ? unlessCancelled(opened, token) : opened;
  }

  /** The agent's earlier sessions in the run's folder that aren't open. */
  async listSessions(token?: CancellationToken): Promise<readonly EarlierSession[]> {
    const all = await this.requests.sessions((sessions) => sessions.listSessions(this.options.spec.cwd, token));
    return all
      .filter(({ sessionId }) => this.log.find(boundedSessionId(sessionId))?.ended !== false)
      .map((one) => ({ ...one, title: one.title && redactedLine(one.title, this.options.redactor) }));
  }

  resumeSession(sessionId: string, cwd = this.options.spec.cwd, token?: CancellationToken): Promise<void> {
    return this.requests.sessions((sessions) => sessions.resumeSession(sessionId, cwd, token));
  }

  prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    return this.requests.sessions((sessions) => sessions.prompt(sessionId, text));
  }

  cancel(target: { readonly sessionId: string } | { readonly requestId: RequestId }): Promise<void> {
    return 'sessionId' in target
      ? this.requests.sessions((sessions) => sessions.cancelTurn(target.sessionId))
      : this.requests.send((client) => client.cancelRequest(target.requestId));
  }

  closeSession(sessionId: string): Promise<void> {
    return this.requests.sessions((sessions) => sessions.closeSession(sessionId));
  }

  setMode(sessionId: string, modeId: string): Promise<void> {
    return this.requests.sessions((sessions) => sessions.setMode(sessionId, modeId));
  }

  listTools(token?: CancellationToken): Promise<readonly Tool[]> {
    return this.requests.tools((tools) => tools.listTools(token));
  }

  callTool(name: string, args: JsonObject, options?: ToolCallOptions): Promise<JsonObject> {
    return this.requests.tools((tools) => tools.callTool(name, args, options));
  }

  /** Filters the view immediately, and requests the level from a running agent. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    this.currentLevel = level;
    this.levelEmitter.fire(level);
    const { state, client } = this;
    return state.type === 'running' && client ? client.setLevel(level) : 'unsupported';
  }

  /** Ends the agent and all its processes; settles when they have exited. A second call skips the wait before the next step. */
  async stop(grace: StopGrace = this.options.limits.stop): Promise<Termination> {
    if (this.state.type === 'ended') return this.state.termination;
    const again = this.isStopping;
    this.tracker.stop();
    this.journal?.stopWaiting();
    if (this.connection) {
      // An agent that no longer reads gets no message.
      if (!again) await Promise.race([this.connection.client.prepareStop(this.log.requests), delay(endGrace)]);
      this.life.enter({ type: 'stopping' });
      this.connection.stop(grace);
    } else if (!this.begun) this.end({ ev: 'start-failed', message: 'stopped before it was started' });
    return this.ended();
  }

  ended(): Promise<Termination> {
    return this.life.ended();
  }

  private async connect(): Promise<AgentConnection> {
    const { limits, now, connect } = this.options;
    const connection = await connect({
      maxLineBytes: limits.maxLineBytes,
      maxMessageBytes: limits.maxMessageBytes,
      now,
      onEvent: (event) => this.reader.accept(event),
      onPiece: (dir, bytes) => this.reader.acceptPiece(dir, bytes),
      onProcessEvent: (event) => this.reader.acceptProcessEvent(event),
      onSlice: () => this.reader.flush(),
      onLost: (why) => this.lose(why),
      isBehind: () => this.journal?.isBehind ?? false,
      onFault: this.onFault,
    });
    void this.watchEnd(connection);
    return connection;
  }

  private async watchEnd(connection: AgentConnection): Promise<void> {
    const exit = await connection.ended;
    if (!exit) this.tracker.disconnect(this.log.work.requests.unanswered);
    this.tracker.explain(connection.termination);
    this.end(exit && { ev: 'exit', ...exit });
  }

  private lose(why: Why): void {
    if (this.isStopping) return;
    const message = connectionWords(why);
    if (this.state.type !== 'stopping') this.tracker.explain({ reason: 'error', terminatedBy: 'agent', message }, why);
    this.journal?.stopWaiting();
    this.life.enter({ type: 'stopping' });
    this.connection?.stop(this.options.limits.stop);
  }

  private initialize(client: AgentClient, { token, onWaiting }: StartProgress): Promise<JsonObject> {
    const { initializeTimeout: timeout, waitingNotice: every } = this.options.limits;
    const answer = client.initialize(this.currentLevel, token);
    return waitFor(
      unlessUnusable(this.name, answer, () => this.reader.run.unusableAnswer),
      {
        token,
        timeout,
        every,
        onWaiting: (ms) => {
          this.reader.acceptProcessEvent({ ev: 'waiting', method: 'initialize', ms });
          onWaiting(ms);
        },
      },
    );
  }

  /** Ends a run that failed to start, and gives the reason in one message. */
  private async startError(error: unknown): Promise<Error> {
    const wasStopped = this.isStopping;
    // If the process is ending, a failed response is only a consequence, so report how it ended.
    const isEnding = this.connection?.isGone === true || /\bEPIPE\b/.test(messageOf(error));
    await Promise.race([this.ended(), delay(isEnding ? endingGrace : endGrace)]);
    const died = this.state.type === 'ended' ? this.state.termination : undefined;
    if (wasStopped || error instanceof Cancelled) {
      await this.stop();
      return error instanceof Cancelled ? error : new Cancelled();
    }
    const failed = startError(this, error, died, this.reader.run.endCause);
    redactError(failed, this.options.redactor).runId = this.id;
    if (!died) {
      this.tracker.explain({ reason: 'error', terminatedBy: 'client', message: t("didn't start: {0}", failed.words) });
      this.reader.acceptProcessEvent({ ev: 'start-failed', message: failed.message });
      await this.stop();
    }
    return failed;
  }

  /** @param last the event that ended it, unless already read */
  private end(last?: ProcessEvent): void {
    if (last) this.reader.acceptProcessEvent(last);
    const termination = this.log.store.sessionIds.inValue(this.reader.run.finalTermination);
    const { reason, terminatedBy, message } = termination;
    const { why } = this.tracker;
    this.reader.acceptProcessEvent({
      ev: 'end',
      reason,
      terminatedBy,
      ...(message && { message: inEnglish(message), ...(why && { why }) }),
    });
    void this.journal?.close();
    this.life.enter({ type: 'ended', at: this.options.now(), termination });
  }
}
