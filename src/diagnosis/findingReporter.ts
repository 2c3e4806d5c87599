import { reaches } from '../log/level';
import { shortenId } from '../log/sessionLabel';
import type { EndCause } from '../log/termination';
import type { Words } from '../log/translator';
import { mapArgs } from '../log/translator';
import type { WireEvent } from '../wire/wireEvent';
import type { Conversation } from './conversation/conversation';
import type { Finding } from './diagnosis';
import type { HeldFinding } from './earlyJunk';
import { EarlyJunk } from './earlyJunk';
import type { Findings } from './rule';
import type { SeriesOfFindings } from './series';
import type { Summaries, Verdict } from './summaries';

/** Files the rules' findings: without session IDs, early junk held back, repetitions grouped. */
export class FindingReporter {
  /** As a possible cause of the exit. */
  latestError: EndCause | undefined;
  private readonly earlyJunk = new EarlyJunk();
  /** Findings about the turn that is being judged. */
  private verdict: Verdict[] | undefined;

  /** @param sessions those that the interpreter has announced */
  constructor(
    private readonly conversation: Conversation,
    private readonly sessions: { has(sessionId: string): boolean },
    private readonly series: SeriesOfFindings,
    private readonly summaries: Summaries,
  ) {}

  get isHolding(): boolean {
    return this.earlyJunk.isHolding;
  }

  /**
   * @param evidence the `seq` of the record that shows the findings
   * @param event the one that shows them, if any
   */
  report(findings: NonNullable<Findings>, at: number, evidence: number | undefined, event?: WireEvent): void {
    const raw = event === undefined || event.dir === 'ev' ? undefined : event.line;
    for (const found of 'code' in findings ? [findings] : findings) this.file({ at, raw, ...found }, evidence);
  }

  /** Returns what is reported meanwhile. */
  collect(judge: () => void): readonly Verdict[] {
    const verdict: Verdict[] = (this.verdict = []);
    judge();
    this.verdict = undefined;
    return verdict;
  }

  releaseEarly(now: number): void {
    if (this.isHolding) this.takeAll(this.earlyJunk.passed(now));
  }

  passed(now: number): void {
    this.series.passed(now);
  }

  messageArrived(): void {
    this.takeAll(this.earlyJunk.messageArrived());
  }

  closeSession(sessionId: string, now: number): void {
    this.series.closeSession(sessionId, now);
  }

  begin(): void {
    this.latestError = undefined;
    this.takeAll(this.earlyJunk.begin());
  }

  /** @param isQuoted whether the report of the exit quotes the early junk */
  end(isQuoted: boolean, now: number): void {
    this.takeAll(this.earlyJunk.end(isQuoted));
    this.series.closeAll(now);
  }

  /** Shortens session IDs, because they work like passwords. */
  withoutSessionIds(words: Words): Words {
    return mapArgs(words, (text) =>
      this.conversation.sessionsIn(text).reduce((short, id) => shortenId(short, id), text),
    );
  }

  private file(found: Finding, evidence: number | undefined): void {
    const { sessionId, what, cause } = found;
    const finding = {
      ...found,
      what: this.withoutSessionIds(what),
      ...(cause && { cause: this.withoutSessionIds(cause) }),
      sessionId: sessionId !== undefined && this.sessions.has(sessionId) ? sessionId : undefined,
    };
    if (this.earlyJunk.takes({ finding, evidence })) return;
    if (this.earlyJunk.isFull) this.messageArrived();
    this.take(finding, evidence);
  }

  private takeAll(held: readonly HeldFinding[]): void {
    for (const { finding, evidence } of held) this.take(finding, evidence);
  }

  private take(finding: Finding, evidence: number | undefined): void {
    const { level, what, advice, isUpdate } = finding;
    if (reaches(level, 'error')) this.latestError = { what, ...(advice && { advice }) };
    this.verdict?.push(finding);
    if (isUpdate !== true) this.series.add(finding, evidence);
    this.summaries.found(finding);
  }
}
