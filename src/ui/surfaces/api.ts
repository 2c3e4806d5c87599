import { t } from '../../text/translator';
import * as vscode from 'vscode';
import type {
  AgentLogsApi,
  Publisher,
  Request,
  Run as PublicRun,
  Session,
  Span,
  SpanQuery,
} from '../../../api/agent-logs';
import type { RecordQuery } from '../../query/compiledQuery';
import type { Threshold } from '../../text/level';
import { isThreshold, thresholds } from '../../text/level';
import type { LogRecord } from '../../text/record';
import type { RequestId } from '../../text/json';
import { isObject } from '../../text/json';
import { HumanError } from '../../text/humanError';
import type { FileRuns } from '../../past/files/fileRuns';
import { isFileRun } from '../../past/files/fileRuns';
import type { Run } from '../../live/run';
import type { Runs, RunViews } from '../../runs/runs';
import { isOwnRun } from '../../runs/runs';
import type { RunView } from '../../runLog/runView';
import type { Span as OwnSpan } from '../../timeline/span';
import type { RecordsFound } from '../../runs/runQuery';
import type { EnglishTermination as Termination } from '../../wire/termination';
import { inEnglishTermination } from '../../wire/termination';
import type { Launcher } from '../services/agents/launcher';
import type { LevelControl, LevelResult } from '../services/level/levelControl';
import { DisposableOwner } from '../kit/disposables';
import type { PublishOptions, RunPublisher } from '../services/runs/publisher';

/** Maximum number of records to return at once: more would block the extension host. */
const maxRecords = 5000;
/** About how much of a run's file `records()` reads, because it can't pause, in bytes. */
const maxFileBytes = 4 * 1024 * 1024;

/** The API that the extension exports. */
export class Api extends DisposableOwner implements AgentLogsApi {
  readonly version = 1;
  private readonly changeEmitter = this.own(new vscode.EventEmitter<void>());
  readonly onDidChangeRuns = this.changeEmitter.event;
  private readonly known = new WeakMap<RunView, PublicRun>();

  constructor(
    private readonly views: RunViews,
    registry: Runs,
    private readonly fileRuns: FileRuns,
    private readonly launcher: Launcher,
    private readonly publisher: RunPublisher,
    private readonly levels: LevelControl,
  ) {
    super();
    this.own(registry.onDidChange(() => this.changeEmitter.fire()));
    this.own(fileRuns.onDidChange(() => this.changeEmitter.fire()));
  }

  get runs(): readonly PublicRun[] {
    return this.views.all.map((run) => this.publicRunOf(run));
  }

  async start(agent: string): Promise<PublicRun> {
    return this.publicRunOf(await this.launcher.start(agent));
  }

  async open(uri: vscode.Uri): Promise<PublicRun> {
    if (uri.scheme !== 'file') throw new TypeError(`open() takes the URI of a file, not of ${uri.scheme}.`);
    const own = this.views.writerOf(uri.fsPath);
    if (own) return this.publicRunOf(own);
    return this.publicRunOf(await this.fileRuns.show(await this.fileRuns.at(uri.fsPath, 'opened')));
  }

  publish(options: PublishOptions): Publisher {
    return this.publisher.publish(options, (run) => this.publicRunOf(run));
  }

  private publicRunOf(run: RunView): PublicRun {
    const known = this.known.get(run) ?? new ApiRun(run, this.levels);
    this.known.set(run, known);
    return known;
  }
}

/** A run as other extensions see it. Private fields keep our own objects out of reach. */
export class ApiRun implements PublicRun {
  readonly #run: RunView;
  readonly #levels: LevelControl;
  readonly onDidAppend: vscode.Event<readonly LogRecord[]>;

  constructor(run: RunView, levels: LevelControl) {
    this.#run = run;
    this.#levels = levels;
    // Not disposed of, because only the run refers to them.
    const emitter = new vscode.EventEmitter<readonly LogRecord[]>();
    let isListenedTo = false;
    this.onDidAppend = (listener, thisArgs, disposables) => {
      isListenedTo = true;
      return emitter.event(listener, thisArgs, disposables);
    };
    run.log.onDidChange((change) => {
      if (isListenedTo && change.count > 0) emitter.fire(change.copies);
    });
  }

  get id(): string {
    return this.#run.id;
  }

  get name(): string {
    return this.#run.name;
  }

  get protocol(): string {
    return this.#run.protocol;
  }

  get state(): PublicRun['state'] {
    const { type } = this.#run.state;
    return type === 'unread' || type === 'reading' || type === 'following' ? 'running' : type;
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
    return state.type === 'ended' ? inEnglishTermination(state.termination) : undefined;
  }

  get sessions(): readonly Session[] {
    return this.#run.log.sessions.map(({ id, title, parent, startedAt, counts, ended }) => ({
      id,
      ...(title !== undefined && { title }),
      ...(parent !== undefined && { parent }),
      startedAt,
      counts: { ...counts },
      ended,
    }));
  }

  get requests(): readonly Request[] {
    return this.#run.log.requests.map(({ id, method, direction, startedAt, sessionId, progress }) => ({
      id,
      method,
      direction,
      startedAt,
      ...(sessionId !== undefined && { sessionId }),
      ...(progress && { progress: { ...progress } }),
    }));
  }

  get dropped(): number {
    return this.#run.log.store.dropped;
  }

  records(query: RecordQuery = {}): LogRecord[] {
    // Extensions written in JavaScript can pass anything.
    const given: unknown = query;
    if (!isObject(given) || !['undefined', 'string'].includes(typeof given['text'])) {
      throw new TypeError('records() takes an object, of which text is a string.');
    }
    const { limit = maxRecords } = query;
    return this.#run.log.store.query({ ...query, limit: Math.min(limit, maxRecords) }, maxFileBytes);
  }

  spans(query: SpanQuery = {}): Span[] {
    const given: unknown = query;
    if (!isObject(given) || (given['kinds'] !== undefined && !Array.isArray(given['kinds']))) {
      throw new TypeError('spans() takes an object, of which kinds is a list.');
    }
    return this.#run.log.spans(query).map(publicSpan);
  }

  async query(query: string, options: { from?: number; count?: number } = {}): Promise<RecordsFound> {
    // Extensions written in JavaScript can pass anything.
    const given: readonly unknown[] = [query, options];
    if (typeof given[0] !== 'string' || !isObject(given[1])) {
      throw new TypeError('query() takes a string and an object.');
    }
    const [{ queryPage }, { parseQuery }] = await Promise.all([
      import('../../runs/runQuery'),
      import('../../query/parseQuery'),
    ]);
    return queryPage(this.#run, parseQuery(query), options);
  }

  async newSession(cwd?: string): Promise<string> {
    return this.#live.newSession(cwd);
  }

  async prompt(sessionId: string, text: string): Promise<{ stopReason: string }> {
    return this.#live.prompt(sessionId, text);
  }

  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#live.callTool(name, args);
  }

  async cancel(target: { sessionId: string } | { requestId: RequestId }): Promise<void> {
    return this.#live.cancel(target);
  }

  async setLevel(level: Threshold): Promise<LevelResult> {
    if (!isThreshold(level)) throw new TypeError(`setLevel() takes one of ${thresholds.join(', ')}.`);
    if (!isFileRun(this.#run)) return this.#levels.set(this.#live.definition, level);
    this.#run.setLevel(level);
    return { shown: true, agent: 'unsupported', channel: false };
  }

  async stop(): Promise<Termination> {
    if (isFileRun(this.#run)) await this.#run.read();
    else await this.#live.stop();
    const { termination } = this;
    if (termination) return termination;
    throw new HumanError(t("This run is read from a file, so it can't be stopped."));
  }

  get #live(): Run {
    if (isOwnRun(this.#run)) return this.#run;
    throw new HumanError(t('Past runs are read-only.'));
  }
}

/** Other extensions know no counts of a single model request. */
function publicSpan({ usage, ...span }: OwnSpan): Span {
  return usage ? { ...span, usage: { ...usage, basis: usage.basis === 'request' ? 'unknown' : usage.basis } } : span;
}
