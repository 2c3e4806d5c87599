import { rankOf } from '../text/level';
import { ownHead } from '../text/ownText';
import type { EndCause } from '../wire/termination';
import type { WireEvent } from '../wire/wireEvent';
import { isActivity } from '../work/activity';
import type { Fact, StderrEntry } from '../work/facts';
import { isBeginning } from '../protocols/lifecycle';
import type { LogLine } from '../protocols/logLine/logLine';
import type { Reading } from '../protocols/protocolReader';
import { BoundedMap } from '../text/boundedMap';
import { Conversation } from './conversation/conversation';
import { FindingReporter } from './findingReporter';
import type { RuleSet } from './ruleSets';
import { Problems } from './problems';
import type { Findings } from './rule';
import { RuleIndex } from './ruleIndex';
import { maxRaw, SeriesOfFindings } from './series';
import type { DiagnosisSink } from './sessionSummary';
import type { Finding } from './diagnosis';
import { Summaries } from './summaries';
import { noteStderr } from './conversation/troubles';
import type { ToolCall } from '../work/tools/toolCall';
import type { TurnEnd } from '../work/turn';
import type { Work, WorkEnd } from '../work/work';

const maxSessions = 2000;
/** What a log message is needed for. Rules read it from its bytes; everything else needs its fact. */
type LogUse = 'none' | 'rules' | 'fact';
/** If the clock is set back by more than this, in milliseconds, the new time is used. */
const maxSetBack = 10_000;
/** During log messages, waits are looked at once in this time, in milliseconds. They last for seconds. */
const moment = 10;
/** A longer gap, in milliseconds, means that the machine slept. */
const sleepGap = 15 * 60_000;

/**
 * Reports the problems of a run, after the records that they explain, and a summary of each session. A function of what was read so far: silence is
 * judged by the times of events and by `quiet`.
 */
export class Diagnoser {
  private readonly conversation: Conversation;
  private readonly work: Work;
  private readonly rules: RuleIndex;
  private readonly reporter: FindingReporter;
  private readonly summaries: Summaries;
  private readonly series: SeriesOfFindings;
  /** Sessions that the reader has announced; only these have records. */
  private readonly sessions = new BoundedMap<string, true>(maxSessions);
  /** The record of the event that is judged, by its `seq`. */
  private evidence: number | undefined;
  /** The `seq` of each record of the reading that is judged. */
  private seqs: readonly number[] = [];
  /** Whether the latest event had facts. */
  private hadFacts = false;
  /** Sessions that the event may have changed; `undefined` is the run itself. */
  private readonly touched = new Set<string | undefined>();
  private now = 0;
  /** When waits were last looked at. */
  private lookedAt = 0;
  /** Cache: what log messages of a method are needed for, by the rank of their level; cleared when anything else arrives. */
  private logs: { readonly method: string; readonly uses: (LogUse | undefined)[] } | undefined;

  constructor(
    sink: Pick<DiagnosisSink, 'record' | 'lastSeq' | 'summary' | 'settled' | 'work'>,
    private readonly ruleSet: RuleSet,
  ) {
    this.work = sink.work;
    this.conversation = new Conversation(ruleSet.protocol, this.work);
    this.rules = new RuleIndex(ruleSet.rules);
    this.series = new SeriesOfFindings((draft) => {
      sink.record(draft);
      return sink.lastSeq;
    });
    const problems = new Problems((finding) => this.series.add(finding));
    this.summaries = new Summaries(problems, (sessionId, summary) => {
      if (sessionId === undefined || this.sessions.has(sessionId)) sink.summary?.(sessionId, summary);
    });
    this.reporter = new FindingReporter(
      this.conversation,
      this.sessions,
      this.series,
      problems,
      this.summaries,
      (problem) => sink.settled?.(problem),
    );
  }

  /** Whether the fact of a log message is needed, and not only what its bytes show. */
  needsLog(line: LogLine): boolean {
    return this.useOf(line) === 'fact';
  }

  /** Reaches the time of an event. Returns whether waits may be overdue then: a flood has many log messages in a moment. */
  reach(t: number, isLog: boolean): boolean {
    const { lookedAt } = this;
    if (this.hadFacts || t < this.now) return true;
    if (isLog ? t >= lookedAt + moment : t !== lookedAt) return true;
    this.now = t;
    return false;
  }

  /** Reports overdue waits, before an event is read. */
  before(event: WireEvent): void {
    if (event.dir === 'a2c' || event.dir === 'err') this.noticeSleep(event.t);
    this.passed(event.t);
  }

  /**
   * Judges what was read.
   * @param seqs of its records
   * @param event absent if records were completed by quiet
   */
  see({ records, own, sessions, facts, ends }: Reading, seqs: readonly number[], event?: WireEvent): void {
    for (const change of sessions) if (change.type === 'seen') this.sessions.set(change.sessionId, true);
    if (sessions.length > 0 || facts.length > 0) this.forgetLogs();
    this.seqs = seqs;
    this.evidence = event && own !== undefined ? seqs[own] : undefined;
    this.seeFacts(facts, ends);
    for (const [n, draft] of records.entries()) if (draft.chunk !== undefined) this.seeLog(draft, seqs[n]);
  }

  /** Judges a log message that says nothing else. @param seq of its record */
  logged(line: LogLine, seq: number): void {
    this.hadFacts = false;
    this.seeLog(line, seq);
  }

  /** Nothing has crossed until this time, in milliseconds since the epoch. */
  quiet(t: number): void {
    this.noticeSleep(t);
    this.passed(t);
  }

  /** The next event has this time; those of all earlier events are unknown. */
  resume(t: number): void {
    for (const rule of this.rules.timed) rule.resumed?.(t);
  }

  /** No more events will be read. Elapsed times are unknown from here on. */
  finish(): void {
    this.evidence = undefined;
    for (const rule of this.rules.onFinish) this.report(rule.finished?.(this.conversation), this.now);
    this.reporter.end(undefined, this.now);
  }

  /** True if something is waiting for more events, or for quiet. */
  get isWaiting(): boolean {
    return this.reporter.isHolding || this.rules.timed.some((rule) => rule.isWatching?.(this.conversation) ?? false);
  }

  /** What is wrong with the response to `initialize`, until a usable one arrives. */
  get unusableAnswer(): EndCause | undefined {
    const { unusableAnswer } = this.ruleSet.unusableAnswers;
    return unusableAnswer && this.reporter.wordedCause(unusableAnswer);
  }

  /** Why the process ended unexpectedly, if known. */
  get endCause(): EndCause | undefined {
    const { endCause, isEndReported } = this.ruleSet.processEnds;
    if (isEndReported) return this.reporter.latestError;
    return endCause && this.reporter.wordedCause(endCause);
  }

  /** If the machine slept, nothing was overdue meanwhile. */
  private noticeSleep(t: number): void {
    if (this.now > 0 && t - this.now > sleepGap) for (const rule of this.rules.timed) rule.resumed?.(t);
  }

  /** Reports overdue waits before the current event is handled. */
  private passed(t: number): void {
    // Small setbacks of the clock are waited out; larger ones are followed.
    this.now = this.now - t > maxSetBack ? t : Math.max(this.now, t);
    this.lookedAt = this.now;
    this.evidence = undefined;
    this.reporter.releaseEarly(this.now);
    for (const rule of this.rules.timed) this.report(rule.passed?.(this.now, this.conversation), this.now);
    this.series.passed(this.now);
  }

  private seeFacts(facts: readonly Fact[], ends: Reading['ends']): void {
    this.hadFacts = facts.length > 0;
    if (!this.hadFacts) return;
    this.touched.clear();
    const { ending } = this.conversation;
    ending.clear();
    for (const { turn } of ends.values()) if (turn) ending.set(turn.turn.sessionId, turn.turn);
    for (const fact of facts) this.seeFact(fact, ends.get(fact));
    for (const sessionId of this.touched) this.summaries.look(sessionId, this.conversation, this.now);
  }

  /** Decided by method and level, and valid until anything else arrives. */
  private useOf(line: LogLine): LogUse {
    const { method, level } = line;
    if (this.logs?.method !== method) this.logs = { method, uses: [] };
    const { uses } = this.logs;
    const rank = rankOf(level);
    return (uses[rank] ??= this.findUse(line));
  }

  private findUse(line: LogLine): LogUse {
    const { conversation, rules } = this;
    if (conversation.needsLog(line)) return 'fact';
    return rules.onLog.some((rule) => rule.needsLog?.(line, conversation)) ? 'rules' : 'none';
  }

  private seeLog(line: LogLine, seq: number | undefined): void {
    this.reporter.messageArrived();
    if (this.useOf(line) !== 'none') this.judgeLog(line, seq);
  }

  private judgeLog(line: LogLine, evidence: number | undefined): void {
    for (const rule of this.rules.onLog) {
      const found = rule.log?.(line, this.conversation);
      if (!found) continue;
      const place = { at: line.receivedAt, raw: headOf(line), evidence };
      this.reporter.reportLog(found, line.sessionId, place);
    }
  }

  private forgetLogs(): void {
    this.logs = undefined;
    this.reporter.forgetLogs();
  }

  private seeFact(seen: Fact, ends: WorkEnd | undefined): void {
    if (seen.event.dir === 'a2c' && seen.type !== 'junk') this.reporter.messageArrived();
    // A log message says only that the agent is working.
    if (seen.type === 'notification' && seen.role === 'log') {
      if (this.ruleSet.protocol === 'acp' && seen.dir === 'a2c') this.conversation.seeLog(seen);
      return this.askRules(seen);
    }
    this.touched.add(sessionOf(seen));
    if (!isActivity(seen)) this.conversation.see(seen);
    const ended = ends?.turn;
    this.conversation.endedTurn = ended?.turn;
    if (ended) this.conversation.ending.delete(ended.turn.sessionId);
    if (seen.type === 'turn') this.conversation.turnChanged(seen);
    if (seen.type === 'equipment') this.conversation.equipped(seen);
    if (seen.type === 'stderr') this.noteStderr(seen.entry);
    // Findings of the event that ends a turn belong to that turn.
    const verdict = ended && this.reporter.collect(() => this.askRules(seen));
    if (ended) this.turnEnded(ended, verdict);
    else this.askRules(seen);
    for (const tool of ends?.tools ?? []) this.judgeTool(tool, seen);
    if (seen.type === 'process' && isBeginning(seen.event)) {
      this.summaries.begun();
      this.reporter.begin();
    }
  }

  /** Judges a turn that has ended. @param verdict findings of its last line */
  turnEnded(ended: TurnEnd, verdict: readonly Finding[] = []): void {
    const { turn, event } = ended;
    // Report recurring problems before the end of their turn.
    this.series.closeSession(turn.sessionId, this.now);
    const more = this.reporter.collect((soFar) => {
      for (const judge of this.rules.onTurnEnd) {
        const found = judge(ended, this.conversation, [...verdict, ...soFar]);
        this.report(found, event.t, event, turn.sessionId);
      }
    });
    this.conversation.lastTurnAt = turn.endedAt;
    this.summaries.turnEnded(ended, [...verdict, ...more], this.conversation);
  }

  private noteStderr({ raw }: StderrEntry): void {
    const turn = this.conversation.turnNamedIn(raw);
    if (turn) for (const trouble of this.conversation.troubles) noteStderr(this.work, turn, trouble);
  }

  private judgeTool(tool: ToolCall, { event }: Fact): void {
    for (const judge of this.rules.onToolEnd) {
      const found = judge({ tool, event, evidence: this.evidence }, this.conversation);
      this.report(found, event.t, event, tool.sessionId || undefined);
    }
  }

  /** The process ended, and with it its turns. */
  ended(t: number): void {
    this.summaries.look(undefined, this.conversation, this.now);
    this.reporter.end(this.endCause, t);
    this.conversation.end();
    this.summaries.ended();
  }

  private askRules(fact: Fact): void {
    const sessionId = isActivity(fact) ? fact.sessionId : undefined;
    for (const handle of this.rules.of(fact)) {
      const evidence = fact.type === 'stderr' ? this.seqs[fact.record ?? -1] : this.evidence;
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
    // Rules are asked at each new time, and rarely find anything.
    const isNone = findings === undefined || (Array.isArray(findings) && findings.length === 0);
    if (!isNone) this.reporter.report(findings, { at, raw: lineOf(event), evidence, sessionId });
  }
}

/** The beginning of a log message's line. `Line.text` would release its bytes, which the journal copies later. */
function headOf({ chunk, start, end }: LogLine): string {
  // UTF-8 takes at most three bytes per UTF-16 unit; one unit more may be cut.
  return ownHead(chunk.bytes.toString('utf8', start, Math.min(end, start + 3 * maxRaw + 3)), maxRaw);
}

function lineOf(event: WireEvent | undefined): string | undefined {
  return event === undefined || event.dir === 'ev' ? undefined : event.line;
}

function sessionOf(fact: Fact): string | undefined {
  if (fact.type === 'request') return fact.request.sessionId;
  return 'sessionId' in fact ? fact.sessionId : undefined;
}
