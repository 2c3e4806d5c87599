import { reaches } from '../text/level';
import { shortenId } from '../text/sessionLabel';
import { BoundedMap } from '../text/boundedMap';
import type { EndCause } from '../wire/termination';
import type { Words } from '../text/translator';
import { inEnglish, mapArgs } from '../text/translator';
import { installIn } from '../agents/installs';
import { inTermsOf } from '../protocols/terms';
import { mayEndProcess } from '../protocols/stderr/runtimes';
import type { Conversation } from './conversation/conversation';
import type { Finding, SettledProblem } from './diagnosis';
import type { OpenProblem, Problems } from './problems';
import type { Findings, LogFinding } from './rule';
import type { Recurring, SeriesOfFindings } from './series';
import { bounded } from './series';
import type { Summaries } from './summaries';

/** A process that prints an error exits within this time, in milliseconds. */
const maxWait = 1000;
const maxHeld = 100;
/** How long a login may take, in milliseconds. */
const maxLogin = 2 * 60_000;
/** Limit of sessions whose log messages have the same finding; more are reported one by one. */
const maxRecurring = 1000;

/** Files the rules' findings: in the run's terms, without session IDs, early junk held back, repetitions grouped. */
export class FindingReporter {
  /** As a possible cause of the exit. */
  latestError: EndCause | undefined;
  /** Text on stdout: junk if messages follow, otherwise the cause of the exit, whose report quotes it. */
  private early: Finding[] = [];
  private hasMessages = false;
  /** Findings about the turn that is being judged. */
  private verdict: Finding[] | undefined;
  /** Findings in log messages by session, until anything else arrives. */
  private readonly recurring = new Map<LogFinding, BoundedMap<string | undefined, Recurring>>();

  /** @param sessions those that the interpreter has announced */
  constructor(
    private readonly conversation: Conversation,
    private readonly sessions: { has(sessionId: string): boolean },
    private readonly series: SeriesOfFindings,
    private readonly problems: Problems,
    private readonly summaries: Summaries,
    private readonly settled: (problem: SettledProblem) => void,
  ) {}

  get isHolding(): boolean {
    return this.early.length > 0 || this.problems.isWaiting;
  }

  /** @param place where the findings are, unless they state it themselves */
  report(findings: Findings, place: Pick<Finding, 'at' | 'raw' | 'evidence' | 'sessionId'>): void {
    for (const found of [findings].flat()) if (found) this.file({ ...place, ...found });
  }

  /** Reports a finding in a log message. A flood may have one in each. */
  reportLog(found: LogFinding, sessionId: string | undefined, place: Pick<Finding, 'at' | 'raw' | 'evidence'>): void {
    const ofSession = found.isOfSession ? sessionId : undefined;
    const known = this.recurring.get(found)?.get(ofSession);
    if (known) {
      const isLater = place.at !== known.finding.at;
      if (this.series.again(known, place)) {
        if (isLater) this.summaries.found(known.finding);
        return;
      }
    }
    const recurring = this.series.recurring(this.file({ ...place, ...found, sessionId: ofSession }));
    if (!recurring) return;
    const sessions = this.recurring.get(found) ?? new BoundedMap(maxRecurring);
    this.recurring.set(found, sessions);
    sessions.set(ofSession, recurring);
  }

  /** Anything but a log message arrived, after which the same finding may be reported otherwise. */
  forgetLogs(): void {
    this.recurring.clear();
  }

  /** Returns what is reported meanwhile. */
  collect(judge: (soFar: readonly Finding[]) => void): readonly Finding[] {
    const verdict: Finding[] = (this.verdict = []);
    try {
      judge(verdict);
    } finally {
      // A bug in a rule must not keep all later findings.
      this.verdict = undefined;
    }
    return verdict;
  }

  releaseEarly(now: number): void {
    const [first] = this.early;
    if (first && now - first.at > maxWait) this.release();
    this.problems.releaseThose((problem) => now > this.endOf(problem));
  }

  messageArrived(): void {
    this.hasMessages = true;
    this.release();
  }

  /** Starts over for a new process. */
  begin(): void {
    this.problems.releaseThose(() => true);
    this.latestError = undefined;
    this.hasMessages = false;
    this.release();
  }

  /** @param cause reported for the exit: it replaces text before the first message, and later text that it quotes */
  end(cause: EndCause | undefined, now: number): void {
    if (cause && (!this.hasMessages || cause.by === 'stdout')) this.early = [];
    this.release();
    this.problems.releaseThose(() => true);
    this.series.closeAll(now);
  }

  /** Words in the terms of the run, and with shortened session IDs, because they work like passwords. */
  worded(words: Words): Words {
    return mapArgs(this.inTerms(words), (text) =>
      this.conversation.sessionsIn(text).reduce((short, id) => shortenId(short, id), text),
    );
  }

  /** Why the process ended, worded like findings. */
  wordedCause({ what, advice, ...cause }: EndCause): EndCause {
    return { ...cause, ...(what && { what: this.worded(what) }), ...(advice && { advice: this.inTerms(advice) }) };
  }

  private inTerms(words: Words): Words {
    return inTermsOf(words, this.conversation.protocol);
  }

  /** Returns the finding as it is reported. */
  private file(found: Finding): Finding {
    const finding = this.filed(found);
    const isFull = this.early.length >= maxHeld;
    if (!isFull && found.code === 'stdout-junk' && (!this.hasMessages || this.mayBeEnd(found))) {
      this.early.push(bounded(finding));
      return finding;
    }
    if (isFull) this.release();
    this.take(finding);
    return finding;
  }

  /** The finding without session IDs, and with what it offers. */
  private filed(found: Finding): Finding {
    const { code, sessionId, what, advice, cause } = found;
    // A server elsewhere must not name what is installed here.
    const isInstallable = code === 'missing-executable' && !this.conversation.isRemote;
    const install = isInstallable
      ? ((advice && installIn(inEnglish(advice))) ?? installIn(inEnglish(what)))
      : undefined;
    return {
      ...found,
      what: this.worded(what),
      ...(cause && { cause: this.worded(cause) }),
      ...(advice && { advice: this.inTerms(advice) }),
      ...(install && { install }),
      sessionId: sessionId !== undefined && this.sessions.has(sessionId) ? sessionId : undefined,
    };
  }

  private mayBeEnd({ raw = '' }: Finding): boolean {
    return this.early.length > 0 || mayEndProcess(raw.trimStart().slice(0, 200));
  }

  private release(): void {
    const held = this.early;
    if (held.length === 0) return;
    this.early = [];
    for (const finding of held) this.take(finding);
  }

  private take(finding: Finding): void {
    const { level, what, advice, delivery } = finding;
    if (delivery?.type === 'settled') return this.settle(finding, delivery.subject);
    if (reaches(level, 'error')) this.latestError = { what, ...(advice && { advice }) };
    this.verdict?.push(finding);
    this.summaries.found(finding);
    this.problems.record(finding);
  }

  /** When records no longer wait: a login that is under way takes its time. */
  private endOf({ waiting, until }: OpenProblem): number {
    const { requests } = this.conversation.work;
    const login = waiting.find(({ code }) => code === 'authentication-required');
    const isLoggingIn = login && requests.find(({ role }) => role === 'login') !== undefined;
    return isLoggingIn ? Math.max(until, login.at + maxLogin) : until;
  }

  private settle(finding: Finding, subject: string): void {
    const problem = this.problems.settle(subject);
    if (!problem) return;
    const { latest, records, rows } = problem;
    if (this.latestError?.what === latest.what) this.latestError = undefined;
    const seqs = records.map(({ seq }) => seq);
    const by = this.series.settle(finding, latest, seqs);
    for (const record of records) this.settled({ ...record, by });
    this.summaries.settled(rows.keys());
  }
}
