import { everything, wantedBetween } from '../query/compiledQuery';
import { shownLine } from '../text/text';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { Span } from '../timeline/span';
import type { RegexRunner } from '../store/regexRunner';
import type { RunLog } from '../runLog/runLog';
import type { Alert, Measure } from './alert';
import type { DayCost } from './dayCost';
import { NewMatches } from './newMatches';
import { QuotaLimit } from './quotaLimit';
import type { LimitReached } from './turnLimits';
import { costOf, TurnLimit } from './turnLimits';

/** Maximum length of a quoted record, in characters. */
const maxQuoted = 200;
const maxQuery = 100;
/** The longest time that a timer can wait, in milliseconds. */
const maxWait = 2 ** 31 - 1;

/** Something that an alert is about. */
export interface AlertMatch {
  /** What happened, without the user's own message. */
  readonly what: Words;
  /** Number of the record that shows it. */
  readonly seq: number;
  readonly sessionId: string | undefined;
}

/** What of a run concerns alerts. */
export interface RunPart {
  readonly log: RunLog;
  /** Only records with higher numbers are new. */
  readonly after: number;
  /** Turns that started before this time are ignored, in milliseconds since the epoch: a file may have them for days. */
  readonly since: number | undefined;
  /** The file is read again from its beginning when it changes. */
  readonly isReread: boolean;
  /** Whether the costs of its turns count, and whether only this window sees them. */
  readonly costs: 'own' | 'shared' | 'none';
}

export interface RunAlertsOptions {
  readonly regex: RegexRunner;
  readonly day: DayCost;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The records of alerts, which never match one. */
  readonly ignored: readonly number[];
  readonly matched: (alert: Alert, count: number, first: AlertMatch, newest: AlertMatch) => void;
  /** A query turned out to be unusable. */
  readonly failed: (alert: Alert, error: unknown) => void;
}

/** Watches what is new in the log of a run. */
export class RunAlerts {
  private readonly subscriptions: { dispose(): void }[] = [];
  private readonly limits: readonly (readonly [Alert, TurnLimit])[];
  private readonly quotas: readonly (readonly [Alert, QuotaLimit])[];
  private readonly countsDays: boolean;
  private ended: Span[] = [];
  /** Turns that ended up to this time, in milliseconds since the epoch, were seen before. */
  private endedUntil: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: RunPart,
    alerts: readonly Alert[],
    private readonly options: RunAlertsOptions,
  ) {
    this.endedUntil = run.since ?? -Infinity;
    for (const alert of alerts) this.search(alert);
    this.limits = alerts.flatMap((alert) => (alert.when.type === 'limit' ? [[alert, new TurnLimit(alert.when)]] : []));
    this.quotas = alerts.flatMap((alert) => {
      const { when } = alert;
      return when.type === 'limit' && when.measure === 'limit' ? [[alert, new QuotaLimit(when.value)]] : [];
    });
    this.countsDays = run.costs !== 'none' && this.limits.some(([alert]) => isOf(alert, 'costPerDay'));
    if (this.limits.length === 0) return;
    const { log } = run;
    this.subscriptions.push(
      log.onSpanEnded((span) => {
        if (span.kind === 'turn') this.ended.push(span);
      }),
      log.onDidChange(() => this.look()),
    );
    this.look();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    clearTimeout(this.timer);
  }

  private search(alert: Alert): void {
    if (alert.when.type !== 'query') return;
    const { query, text } = alert.when;
    const { run, options } = this;
    const { regex, now, ignored } = options;
    const since = run.isReread ? run.since : undefined;
    const matchOf = (seq: number): AlertMatch => {
      const record = run.log.store.get(seq);
      const shown = shownLine(text, maxQuery);
      const what = record
        ? t('{0} ({1})', shownLine(record.message, maxQuoted), shown)
        : t('A record matched: {0}', shown);
      return { what, seq, sessionId: record?.sessionId };
    };
    const matches = new NewMatches(
      run.log,
      query,
      { after: run.after, since, ignored, regex, now },
      ({ count, first, newest }) => options.matched(alert, count, matchOf(first), matchOf(newest)),
      (error) => options.failed(alert, error),
    );
    this.subscriptions.push(matches);
  }

  /** Checks the turns that have ended, and those that are running. */
  private look(): void {
    const { log, since = -Infinity } = this.run;
    const ended = this.ended;
    this.ended = [];
    for (const span of ended) if ((span.endedAt ?? 0) > this.endedUntil) this.finished(span);
    if (this.run.isReread) this.endedUntil = Math.max(this.endedUntil, ...ended.map(({ endedAt = 0 }) => endedAt));
    const now = this.options.now();
    this.checkQuotas(since, now);
    let next = Infinity;
    for (const turn of log.work.turns) {
      if (turn.startedAt < since) continue;
      for (const [alert, limit] of this.limits) {
        const isLong = isOf(alert, 'turnMinutes');
        this.report(alert, limit.running(turn, now), (span) =>
          isLong ? span?.firstSeq : this.newestOf(turn.sessionId),
        );
        next = Math.min(next, limit.dueAt(turn));
      }
    }
    clearTimeout(this.timer);
    if (next === Infinity) return;
    this.timer = setTimeout(() => this.look(), Math.min(maxWait, Math.max(0, next - now)));
    this.timer.unref();
  }

  private checkQuotas(since: number, now: number): void {
    const { log } = this.run;
    for (const [alert, limit] of this.quotas) {
      for (const what of limit.check(log.work.quotas.all, since, now)) {
        const match = { what, seq: log.lastSeq, sessionId: undefined };
        this.options.matched(alert, 1, match, match);
      }
    }
  }

  private finished(span: Span): void {
    const cost = this.countsDays ? costOf(span.usage) : 0;
    const isOwn = this.run.costs === 'own';
    const day = cost > 0 && span.endedAt !== undefined ? this.options.day.add(cost, span.endedAt, isOwn) : undefined;
    for (const [alert, limit] of this.limits) {
      this.report(alert, limit.finished(span, day), () => span.lastSeq);
    }
  }

  private newestOf(sessionId: string): number | undefined {
    const newest = wantedBetween(everything, 0, Infinity);
    return this.run.log.store.newest(sessionId === '' ? undefined : sessionId, 1, newest).records[0]?.seq;
  }

  private report(
    alert: Alert,
    reached: LimitReached | undefined,
    seqOf: (span: Span | undefined) => number | undefined,
  ): void {
    if (!reached) return;
    const { what, turn, sessionId } = reached;
    const { log } = this.run;
    const match = { what, seq: seqOf(log.span(turn)) ?? log.lastSeq, sessionId };
    this.options.matched(alert, 1, match, match);
  }
}

function isOf({ when }: Alert, measure: Measure): boolean {
  return when.type === 'limit' && when.measure === measure;
}
