import { rankOf } from '../log/level';
import type { EndCause } from '../log/termination';
import type { WireEvent, WireMessage, WireProcessEvent } from '../wire/wireEvent';
import { isActivity } from '../work/activity';
import type { Fact, StderrEntry } from '../work/facts';
import type { Interpreter, InterpreterSink } from '../protocols/interpreter';
import { isBeginning, isEnd } from '../protocols/lifecycle';
import type { LogLine } from '../protocols/logLine/logLine';
import { BoundedMap } from '../log/boundedMap';
import { Conversation } from './conversation/conversation';
import { FindingReporter } from './findingReporter';
import type { RuleSet } from './ruleSets';
import { isLog } from './ruleSets';
import type { Findings } from './rule';
import { RuleIndex } from './ruleIndex';
import { SeriesOfFindings } from './series';
import type { DiagnosisSink } from './sessionSummary';
import type { Finding } from './diagnosis';
import { Summaries } from './summaries';
import { noteStderr } from './conversation/troubles';
import { noSteps } from '../work/step';
import type { TurnEnd } from '../work/turn';
import { Work } from '../work/work';

const maxSessions = 2000;
/** If the clock is set back by more than this, in milliseconds, the new time is used. */
const maxSetBack = 10_000;
/** A longer gap, in milliseconds, means that the machine slept. */
const sleepGap = 15 * 60_000;

/**
 * An interpreter that also reports problems. It wraps another one, adds records of kind `diagnosis` after those that they explain, and a summary of
 * each session. Pure like every interpreter: silence is judged by the times of events and by `quiet`.
 */
export class Diagnoser implements Interpreter {
  private readonly inner: Interpreter;
  private readonly conversation: Conversation;
  private readonly work: Work;
  private readonly rules: RuleIndex;
  private readonly reporter: FindingReporter;
  private readonly summaries: Summaries;
  private readonly series: SeriesOfFindings;
  /** Sessions that the interpreter has announced; only these have records. */
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** The record of the line that is being read, by its `seq`. */
  private evidence: number | undefined;
  /** The event that is being read. */
  private event: WireEvent | undefined;
  /** The facts of the latest event. */
  private readonly facts: Fact[] = [];
  /** Sessions that the event may have changed; `undefined` is the run itself. */
  private readonly touched = new Set<string | undefined>();
  private now = 0;
  /** Cache: log messages that no rule needs to see, with a bit for each level; cleared when anything else arrives. */
  private passing: { readonly method: string; levels: number } | undefined;

  /** @param interpreterFor creates the interpreter that reads the wire and writes to this sink */
  constructor(
    private readonly sink: DiagnosisSink,
    private readonly ruleSet: RuleSet,
    interpreterFor: (sink: InterpreterSink) => Interpreter,
  ) {
    this.work = sink.work ?? new Work(noSteps);
    this.conversation = new Conversation(ruleSet.protocol, this.work);
    this.rules = new RuleIndex(ruleSet.rules);
    this.summaries = new Summaries((sessionId, summary) => {
      if (sessionId === undefined || this.sessions.has(sessionId)) sink.summary?.(sessionId, summary);
    });
    this.series = new SeriesOfFindings((draft) => sink.record(draft));
    this.reporter = new FindingReporter(this.conversation, this.sessions, this.series, this.summaries);
    this.inner = interpreterFor(this.watched(sink));
  }

  accept(event: WireEvent, log?: LogLine): void {
    // A flood has many log messages per millisecond.
    if (event.t !== this.now || this.facts.length > 0) {
      // What a pause completes precedes what has lasted too long, as it does live.
      this.startReading();
      this.inner.pause?.(event.t);
      this.seeFacts();
      if (event.dir === 'a2c' || event.dir === 'err') this.noticeSleep(event.t);
      this.passed(event.t);
    }
    this.startReading();
    this.event = event;
    this.inner.accept(event, log);
    this.seeFacts();
    this.event = undefined;
    if (event.dir === 'ev' && isEnd(event)) this.end(event.t);
  }

  readLog(line: WireMessage): LogLine | undefined {
    return this.inner.readLog?.(line);
  }

  quiet(t: number): void {
    this.startReading();
    this.inner.quiet(t);
    this.seeFacts();
    this.noticeSleep(t);
    this.passed(t);
  }

  resume(t: number): void {
    for (const rule of this.rules.timed) rule.resumed?.(t);
    for (const turn of this.work.turns) turn.isFollowed = false;
  }

  /** Elapsed times are unknown from here on. */
  finish(t: number): void {
    this.startReading();
    if (this.inner.finish) this.inner.finish(t);
    else this.inner.quiet(t);
    this.seeFacts();
    this.evidence = undefined;
    for (const rule of this.rules.timed) this.report(rule.finished?.(), this.now);
    this.reporter.end(undefined, this.now);
  }

  get isWaiting(): boolean {
    return (
      this.inner.isWaiting ||
      this.reporter.isHolding ||
      this.rules.timed.some((rule) => rule.isWatching?.(this.conversation) ?? false)
    );
  }

  get unusableAnswer(): EndCause | undefined {
    return this.ruleSet.unusableAnswers.unusableAnswer;
  }

  get endCause(): EndCause | undefined {
    const { endCause, isEndReported } = this.ruleSet.processEnds;
    if (isEndReported) return this.reporter.latestError;
    if (endCause?.what === undefined) return endCause;
    return { ...endCause, what: this.reporter.withoutSessionIds(endCause.what) };
  }

  private startReading(): void {
    this.evidence = undefined;
    // Most events follow a log message, which has no facts; assigning a length is slow even then.
    if (this.facts.length > 0) this.facts.length = 0;
  }

  /** If the machine slept, nothing was overdue meanwhile. */
  private noticeSleep(t: number): void {
    if (this.now > 0 && t - this.now > sleepGap) for (const rule of this.rules.timed) rule.resumed?.(t);
  }

  /** Whether no rule needs to see the message. Decided by method and level, and valid until anything else arrives. */
  private passes(line: LogLine): boolean {
    const known = this.passing;
    const level = 1 << rankOf(line.level);
    if (known?.method === line.method && (known.levels & level) !== 0) return true;
    const passes = !this.rules.onLog.some((rule) => rule.needsLog?.(line, this.conversation));
    if (passes && known?.method === line.method) known.levels |= level;
    else if (passes) this.passing = { method: line.method, levels: level };
    return passes;
  }

  /** A session that logs isn't silent. */
  private logged(sessionId: string | undefined, t: number): void {
    this.work.heard(sessionId, t);
  }

  /** Reports overdue waits before the current event is handled. */
  private passed(t: number): void {
    // Small setbacks of the clock are waited out; larger ones are followed.
    this.now = this.now - t > maxSetBack ? t : Math.max(this.now, t);
    this.evidence = undefined;
    this.reporter.releaseEarly(this.now);
    for (const rule of this.rules.timed) this.report(rule.passed?.(this.now, this.conversation), this.now);
    this.series.passed(this.now);
  }

  private seeFacts(): void {
    if (this.facts.length === 0) return;
    this.passing = undefined;
    this.touched.clear();
    for (const fact of this.facts) this.sink.fact?.(fact);
    for (const fact of this.facts) this.see(fact);
    for (const sessionId of this.touched) this.summaries.look(sessionId, this.conversation, this.now);
  }

  private see(seen: Fact): void {
    if (seen.event.dir === 'a2c' && seen.type !== 'junk') this.reporter.messageArrived();
    // A log message says only that the agent is working.
    if (seen.type === 'notification' && isLog[this.ruleSet.protocol](seen.method)) {
      this.logged(seen.sessionId, seen.event.t);
      return this.askRules(seen);
    }
    this.touched.add(sessionOf(seen));
    if (!isActivity(seen)) this.conversation.see(seen);
    const ended = this.work.see(seen);
    if (seen.type === 'turn') this.conversation.turnChanged(seen);
    if (seen.type === 'stderr') this.noteStderr(seen.entry);
    // Findings of the event that ends a turn belong to that turn.
    const verdict = ended && this.reporter.collect(() => this.askRules(seen));
    if (ended) this.seeTurnEnd(ended, verdict);
    else this.askRules(seen);
    this.judgeTools(seen);
    if (seen.type === 'process' && isEnd(seen.event)) this.endWork(seen.event);
    if (seen.type === 'process' && isBeginning(seen.event)) {
      this.summaries.begun();
      this.reporter.begin();
    }
  }

  /** @param verdict findings of the turn's last line */
  private seeTurnEnd(ended: TurnEnd, verdict: readonly Finding[] = []): void {
    const { turn, event } = ended;
    // Report recurring problems before the end of their turn.
    this.series.closeSession(turn.sessionId, this.now);
    const more = this.reporter.collect(() => {
      for (const judge of this.rules.onTurnEnd) {
        this.report(judge(ended, this.conversation), event.t, event, turn.sessionId);
      }
    });
    this.conversation.lastTurnAt = turn.endedAt;
    this.summaries.turnEnded(turn, [...verdict, ...more], this.conversation);
  }

  /** The process ended, so its running turns end unanswered. */
  private endWork(event: WireProcessEvent): void {
    for (const turn of this.work.turns) this.seeTurnEnd(this.work.giveUp(turn, event));
    this.work.end(event.t);
  }

  private noteStderr({ raw }: StderrEntry): void {
    const turn = this.conversation.turnNamedIn(raw);
    if (turn) for (const trouble of this.conversation.troubles) noteStderr(this.work, turn, trouble);
  }

  private judgeTools(fact: Fact): void {
    for (const tool of this.work.endedTools) {
      for (const judge of this.rules.onToolEnd) {
        const found = judge({ tool, event: fact.event }, this.conversation);
        this.report(found, fact.event.t, fact.event, tool.sessionId || undefined);
      }
    }
  }

  private end(t: number): void {
    this.reporter.end(this.endCause, t);
    this.conversation.end();
    this.summaries.ended();
  }

  private askRules(fact: Fact): void {
    const sessionId = isActivity(fact) ? fact.sessionId : undefined;
    for (const handle of this.rules.of(fact)) {
      const evidence = fact.type === 'stderr' ? fact.seq : this.evidence;
      this.report(handle(fact, this.conversation), fact.event.t, fact.event, sessionId, evidence);
    }
  }

  /** @param event the one that shows the findings, if any */
  private report(
    findings: Findings,
    at: number,
    event?: WireEvent,
    sessionId?: string,
    evidence = this.evidence,
  ): void {
    if (findings) this.reporter.report(findings, { at, raw: lineOf(event), evidence, sessionId });
  }

  private isFromLine(raw: string | undefined): boolean {
    const line = lineOf(this.event);
    // Each record of a batch has its own message.
    return raw === line || (raw !== undefined && line?.startsWith('[') === true && line.includes(raw));
  }

  /** The sink, wrapped to see the records that go into it. */
  private watched(sink: InterpreterSink): InterpreterSink {
    return {
      takesLines: sink.takesLines ?? false,
      needsFact: (log) => !this.passes(log),
      record: (draft) => {
        sink.record(draft);
        if (draft.chunk !== undefined) return this.logged(draft.sessionId, draft.receivedAt);
        // Process events and their records have no line.
        if (this.evidence === undefined && this.isFromLine(draft.raw)) this.evidence = sink.lastSeq;
      },
      get lastSeq() {
        return sink.lastSeq;
      },
      session: (change) => {
        sink.session(change);
        if (change.type === 'seen') this.sessions.set(change.sessionId, true);
      },
      request: (change) => sink.request(change),
      fact: (fact) => this.facts.push(fact),
    };
  }
}

function lineOf(event: WireEvent | undefined): string | undefined {
  return event === undefined || event.dir === 'ev' ? undefined : event.line;
}

function sessionOf(fact: Fact): string | undefined {
  if (fact.type === 'request') return fact.request.sessionId;
  return 'sessionId' in fact ? fact.sessionId : undefined;
}
