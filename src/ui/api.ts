import * as vscode from 'vscode';
import type { RecordQuery } from '../log/filter';
import type { Threshold } from '../log/level';
import type { LogRecord } from '../log/record';
import type { RequestId } from '../protocols/json';
import type { Run } from '../runs/run';
import type { LevelCounts } from '../runs/runLog';
import type { Runs } from '../runs/runs';
import type { Termination } from '../log/termination';
import type { Launcher } from './agents/launcher';
import type { LevelControl, LevelResult } from './level/levelControl';
import { Disposables } from './disposables';

/** What the extension exports to other extensions. */
export interface AgentLogsApi {
  readonly version: 1;
  /** Newest first. */
  readonly runs: readonly ApiRun[];
  readonly onDidChangeRuns: vscode.Event<void>;
  /** Starts an agent of the settings; resolves when it has answered `initialize`. */
  start(agent: string): Promise<ApiRun>;
}

/** One life of one agent. */
export interface ApiRun {
  readonly id: string;
  readonly name: string;
  readonly protocol: 'acp';
  readonly state: 'starting' | 'running' | 'stopping' | 'ended';
  readonly pid?: number | undefined;
  readonly level: Threshold;
  readonly termination?: Termination | undefined;
  /** The newest file of its journal, once there is one. */
  readonly journal?: vscode.Uri | undefined;
  readonly sessions: readonly ApiSession[];
  /** Those that nobody has answered yet. */
  readonly requests: readonly ApiRequest[];
  /** Records no longer in memory. */
  readonly dropped: number;
  /** What matches, in order of arrival. */
  records(query?: RecordQuery): LogRecord[];
  readonly onDidAppend: vscode.Event<readonly LogRecord[]>;
  newSession(cwd?: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  cancel(target: { sessionId: string } | { requestId: RequestId }): Promise<void>;
  setLevel(level: Threshold): Promise<LevelResult>;
  stop(): Promise<Termination>;
}

export interface ApiSession {
  readonly id: string;
  readonly title?: string;
  readonly startedAt: number;
  readonly counts: LevelCounts;
  readonly ended?: boolean;
}

export interface ApiRequest {
  readonly id: RequestId;
  readonly method: string;
  /** `out`: the agent was asked. `in`: the agent asks. */
  readonly direction: 'in' | 'out';
  readonly startedAt: number;
  readonly sessionId?: string;
}

/** The API over the runs of this window. */
export class Api implements AgentLogsApi {
  readonly version = 1;
  private readonly disposables = new Disposables();
  private readonly changeEmitter = this.disposables.add(new vscode.EventEmitter<void>());
  readonly onDidChangeRuns = this.changeEmitter.event;
  private readonly faces = new WeakMap<Run, ApiRun>();

  constructor(
    private readonly registry: Runs,
    private readonly launcher: Launcher,
    private readonly levels: LevelControl,
  ) {
    this.disposables.add(registry.onDidChange(() => this.changeEmitter.fire()));
  }

  get runs(): readonly ApiRun[] {
    return this.registry.all.map((run) => this.faceOf(run));
  }

  async start(agent: string): Promise<ApiRun> {
    return this.faceOf(await this.launcher.start(agent));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private faceOf(run: Run): ApiRun {
    const known = this.faces.get(run);
    if (known) return known;
    const face = new RunFace(run, this.levels);
    this.faces.set(run, face);
    return face;
  }
}

/** A run as other extensions see it: nothing of ours can be reached through it. */
class RunFace implements ApiRun {
  readonly #run: Run;
  readonly #levels: LevelControl;
  readonly protocol = 'acp';
  readonly onDidAppend: vscode.Event<readonly LogRecord[]>;

  constructor(run: Run, levels: LevelControl) {
    this.#run = run;
    this.#levels = levels;
    // Both go with the run: nobody else holds on to them.
    const emitter = new vscode.EventEmitter<readonly LogRecord[]>();
    this.onDidAppend = emitter.event;
    run.log.onDidChange(({ records }) => {
      if (records.length > 0) emitter.fire(records);
    });
  }

  get id(): string {
    return this.#run.id;
  }

  get name(): string {
    return this.#run.name;
  }

  get state(): ApiRun['state'] {
    return this.#run.state.type;
  }

  get pid(): number | undefined {
    return this.#run.pid;
  }

  get level(): Threshold {
    return this.#run.level;
  }

  get journal(): vscode.Uri | undefined {
    const path = this.#run.journal?.path;
    return path === undefined ? undefined : vscode.Uri.file(path);
  }

  get termination(): Termination | undefined {
    const { state } = this.#run;
    return state.type === 'ended' ? state.termination : undefined;
  }

  get sessions(): readonly ApiSession[] {
    return this.#run.log.sessions.map(({ id, title, startedAt, counts, ended }) => ({
      id,
      ...(title !== undefined && { title }),
      startedAt,
      counts: { ...counts },
      ended,
    }));
  }

  get requests(): readonly ApiRequest[] {
    return this.#run.log.requests.map(({ id, method, direction, startedAt, sessionId }) => ({
      id,
      method,
      direction,
      startedAt,
      ...(sessionId !== undefined && { sessionId }),
    }));
  }

  get dropped(): number {
    return this.#run.log.store.dropped;
  }

  records(query: RecordQuery = {}): LogRecord[] {
    return this.#run.log.store.query(query);
  }

  newSession(cwd?: string): Promise<string> {
    return this.#run.newSession(cwd);
  }

  prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    return this.#run.prompt(sessionId, text);
  }

  cancel(target: { sessionId: string } | { requestId: RequestId }): Promise<void> {
    return this.#run.cancel(target);
  }

  setLevel(level: Threshold): Promise<LevelResult> {
    return this.#levels.set(this.#run.definition, level);
  }

  stop(): Promise<Termination> {
    return this.#run.stop();
  }
}
