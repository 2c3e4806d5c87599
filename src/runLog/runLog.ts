import { Emitter } from '../text/emitter';
import { BoundedMap } from '../text/boundedMap';
import { codeCount, codeOf } from '../query/compiledQuery';
import type { LineRecord } from '../text/bytes/lineRecord';
import type { RecordDraft } from '../text/record';
import type { RecordStore } from '../store/store';
import type { SettledProblem } from '../diagnosis/diagnosis';
import type { DiagnosisSink, SessionSummary } from '../diagnosis/sessionSummary';
import type { FileChange } from '../work/changes/fileChange';
import type { Fact } from '../work/facts';
import { Work } from '../work/work';
import type { SessionChange } from '../protocols/interpreter';
import type { OpenRequest } from '../work/requests';
import type { TextsOfCall } from '../timeline/newestTexts';
import type { Call } from '../timeline/joins/call';
import type { Span, SpanQuery } from '../timeline/span';
import { Timeline } from '../timeline/timeline';
import type { TurnSummary } from '../timeline/turnSummary';
import type { SessionContext } from '../work/usage/usage';
import type { LeafCache } from './leaf';
import { WireIndex } from './wire/wireIndex';
import type { LogGroup } from './logGroup';
import { CountedGroup } from './logGroup';
import { ProgressLog } from './progressLog';
import { RunLogChange } from './runLogChange';
import { RunProblems } from './runProblems';

const maxSettled = 5000;

/** A run's records, sessions, open requests and spans so far. Written by the interpreter, read by the views. */
export class RunLog implements DiagnosisSink {
  readonly takesLines = true;
  private readonly changeEmitter = new Emitter<RunLogChange>();
  /** Fires once per slice of the wire, however many records it has. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly groups = new Map<string | undefined, CountedGroup>();
  private readonly spanEmitter = new Emitter<Span>();
  /** Fires when a span has ended, before the change of its slice. */
  readonly onSpanEnded = this.spanEmitter.event;
  private readonly timeline = new Timeline((span) => this.spanEmitter.fire(span));
  /** Shared by all readers of the run: a saved session has one for each file. */
  readonly work = new Work(this.timeline, (request, at) => this.requestChanged(request, at));
  readonly wire = new WireIndex((sessionId, id) => this.work.tools.titleOf(sessionId, id));
  /** What servers reported about their requests. */
  readonly progress = new ProgressLog();
  /** The `seq` of the record that says how a problem ended, by the problem's own. */
  private readonly settledProblems = new BoundedMap<number, number>(maxSettled);
  private newlySettled: SettledProblem[] = [];
  readonly problems = new RunProblems();
  /** The newest record that listeners were notified of. */
  private notifiedSeq = 0;
  private changes = 0;
  private touched = new Set<string | undefined>();
  private sessionsAdded = false;
  private counts = new Uint32Array(codeCount);
  private isNotifying = false;
  /** Query results, while there are any queries. */
  leaves?: LeafCache;
  private again: NodeJS.Immediate | undefined;

  constructor(
    readonly store: RecordStore,
    startedAt: number,
  ) {
    this.groups.set(undefined, new CountedGroup(undefined, 0, startedAt));
  }

  get lastSeq(): number {
    return this.store.lastSeq;
  }

  /** The records without a session. */
  get connection(): LogGroup {
    return this.group(undefined, 0);
  }

  /** In order of appearance. */
  get sessions(): readonly (LogGroup & { readonly id: string })[] {
    return [...this.groups.values()].filter((group): group is CountedGroup & { id: string } => group.id !== undefined);
  }

  /** A session; the connection for `undefined`. */
  find(sessionId: string | undefined): LogGroup | undefined {
    return this.groups.get(sessionId);
  }

  /** The open requests, oldest first. */
  get requests(): readonly OpenRequest[] {
    return this.work.requests.all;
  }

  /** The row in Wire of an open request, or of the question to the user that its session waits for. */
  messageOf(request: OpenRequest): number | undefined {
    const isAsked = ({ direction, sessionId = '', startedAt }: OpenRequest): boolean =>
      direction === 'in' &&
      sessionId === (request.sessionId ?? '') &&
      this.work.questions.open.some(({ step }) => step.sessionId === sessionId && step.startedAt === startedAt);
    return this.wire.rowOfOpen(this.requests.find(isAsked) ?? request);
  }

  record(draft: RecordDraft | LineRecord): void {
    const { sessionId, level, kind, receivedAt } = draft;
    const group = this.group(sessionId, receivedAt);
    group.count(level, kind, receivedAt);
    const code = codeOf(level, kind);
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    if (group.change !== this.changes) {
      group.change = this.changes;
      this.touched.add(sessionId);
    }
    this.store.append(draft);
    if (kind === 'diagnosis' && draft.chunk === undefined) this.problems.add(this.lastSeq, draft);
  }

  session(change: SessionChange): void {
    const group = this.group(change.sessionId, 'at' in change ? change.at : 0);
    switch (change.type) {
      case 'seen':
        if (change.parent !== undefined) group.parent = change.parent;
        break;
      case 'titled':
        if (change.title === undefined) delete group.title;
        else group.title = change.title;
        break;
      case 'modes':
        group.currentMode = change.current;
        if (change.available) group.modes = change.available;
        break;
      case 'commands':
        group.commands = change.available;
        break;
      case 'ended':
        group.ended = true;
        break;
      case 'resumed':
        group.ended = false;
        break;
    }
    this.touched.add(change.sessionId);
  }

  summary(sessionId: string | undefined, summary: SessionSummary): void {
    this.group(sessionId, 0).summary = summary;
    this.touched.add(sessionId);
  }

  settled(problem: SettledProblem): void {
    const { seq, level, sessionId, by } = problem;
    this.settledProblems.set(seq, by);
    this.problems.settle(seq);
    this.group(sessionId, 0).settle(level);
    this.touched.add(sessionId);
    this.newlySettled.push(problem);
  }

  /** The `seq` of the record that says how a problem ended; `undefined` if it still holds. */
  settledBy(seq: number): number | undefined {
    return this.settledProblems.get(seq);
  }

  /** The record of the problem that the row of a session, or of the run, shows. */
  problemOf(sessionId?: string): number | undefined {
    const worst = this.find(sessionId)?.summary?.worst;
    return worst && this.problems.shownAs(worst, sessionId)?.seq;
  }

  /** Number of problems that no longer hold. */
  get settledCount(): number {
    return this.settledProblems.size;
  }

  fact(fact: Fact): void {
    this.wire.see(fact, this.lastSeq);
  }

  span(id: string): Span | undefined {
    return this.timeline.get(id);
  }

  /** The turn of a record, if it is its session's newest. */
  turnAt(sessionId: string | undefined, seq: number): Span | undefined {
    return this.timeline.turnAt(sessionId, seq);
  }

  /** Summarizes the current or the last turn of a session. */
  turnSummary(sessionId: string | undefined, now: number): TurnSummary | undefined {
    return this.timeline.summarize(sessionId, now);
  }

  /** The current or the last turn of a session. */
  lastTurn(sessionId: string): Span | undefined {
    return this.timeline.lastTurn(sessionId);
  }

  /** How full the context of the session's model is, as far as its agent says so. */
  contextOf(sessionId: string): SessionContext | undefined {
    return this.work.models.contextOf(sessionId);
  }

  /** Number of spans that were dropped because a long run has too many. */
  get droppedSpans(): number {
    return this.timeline.evicted;
  }

  /** The tool calls, to be joined with those of another run. */
  get calls(): readonly Call[] {
    return this.timeline.calls;
  }

  /** The arguments and the result of a tool call, if it is one of the newest. */
  textsOf(id: string): TextsOfCall | undefined {
    return this.timeline.textsOf(id);
  }

  /** Whether a session, or any, has changed a file, as far as its agent recorded it. */
  hasChanges(sessionId?: string): boolean {
    return this.timeline.hasChanges(sessionId);
  }

  /** What a span changed, with the texts if it is one of the newest. */
  changesOf(id: string): readonly FileChange[] {
    return this.timeline.changesOf(id) ?? [];
  }

  /** Running and finished spans, oldest first. */
  spans(query?: SpanQuery): Span[] {
    return this.timeline.query(query);
  }

  /** Notifies listeners if anything has changed since the last call, and frees memory above the limit. */
  flush(): void {
    // Records that a listener causes, for example by sending something, are reported once all others have been notified.
    if (this.isNotifying) {
      this.again ??= setImmediate(() => {
        this.again = undefined;
        this.flush();
      });
      return;
    }
    this.notify(this.store.isOverfull);
    this.store.makeRoom();
  }

  /** Drops the records in memory and their counts; sessions stay. */
  clear(): void {
    if (!this.isNotifying) this.notify(true);
    this.store.clear();
    this.timeline.clear();
    this.wire.clear();
    this.progress.clear();
    this.settledProblems.clear();
    this.problems.clear();
    for (const [id, group] of this.groups) {
      group.forgetCounts();
      this.touched.add(id);
    }
    this.flush();
  }

  private requestChanged(request: OpenRequest, at: number | undefined): void {
    if (at !== undefined) this.progress.add(request, at, this.lastSeq);
    this.touched.add(request.sessionId);
  }

  private notify(isLastLook: boolean): void {
    if (!isLastLook && this.notifiedSeq === this.lastSeq && this.touched.size === 0) return;
    const { touched: groups, sessionsAdded, newlySettled: settled, counts } = this;
    const about = { groups, sessionsAdded, settled, counts, isLastLook };
    const change = new RunLogChange(this.store, this.notifiedSeq, about);
    this.notifiedSeq = this.lastSeq;
    this.changes++;
    this.touched = new Set();
    this.newlySettled = [];
    this.sessionsAdded = false;
    this.counts = new Uint32Array(codeCount);
    this.isNotifying = true;
    this.changeEmitter.fire(change);
    this.isNotifying = false;
  }

  private group(id: string | undefined, at: number): CountedGroup {
    const known = this.groups.get(id);
    if (known) return known;
    const group = new CountedGroup(id, this.groups.size, at);
    this.groups.set(id, group);
    if (id !== undefined) this.store.sessionIds.add(id);
    this.sessionsAdded = true;
    return group;
  }
}
