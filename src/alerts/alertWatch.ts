import { diagnosisText } from '../diagnosis/diagnosisText';
import type { DiagnosisData } from '../diagnosis/diagnosis';
import type { RecordDraft } from '../text/record';
import type { Words } from '../text/translator';
import { english, t, verbatim } from '../text/translator';
import { RegexWorker } from '../machine/regexWorker';
import type { Alert } from './alert';
import { AlertPace, alertPace } from './alertPace';
import type { DayMemory } from './dayCost';
import { DayCost } from './dayCost';
import type { AlertMatch, RunPart } from './runAlerts';
import { RunAlerts } from './runAlerts';

/** Maximum number of records per run that are known to be of alerts. */
const maxIgnored = 1000;

export interface AlertReport<Run> {
  readonly alert: Alert;
  readonly run: Run;
  readonly what: Words;
  /** Number of the record that reports it. */
  readonly seq: number;
}

export interface AlertWatchOptions<Run> {
  readonly memory: DayMemory;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when an alert was recorded. */
  readonly onAlert: (report: AlertReport<Run>) => void;
  /** Called when an alert is disabled because its query turned out to be unusable. */
  readonly onDisabled: (alert: Alert, error: unknown) => void;
}

interface MatchIn<Run> extends AlertMatch {
  readonly run: Run;
  readonly write: (draft: RecordDraft) => number;
}

/** Watches runs for what the user's alerts ask for, and records it in their logs. */
export class AlertWatch<Run> {
  private readonly regex = new RegexWorker();
  private readonly day: DayCost;
  private readonly paces: ReadonlyMap<Alert, AlertPace<MatchIn<Run>>>;
  private readonly disabled = new Set<Alert>();
  private readonly watched = new Set<RunAlerts>();

  constructor(
    private readonly alerts: readonly Alert[],
    private readonly options: AlertWatchOptions<Run>,
  ) {
    this.day = new DayCost(options.memory);
    this.paces = new Map(
      alerts.map((alert) => [alert, new AlertPace((match, others) => this.report(alert, match, others))]),
    );
  }

  /** Watches what is new in a run from now on. */
  follow(run: Run, part: RunPart): { dispose(): void } {
    const { log } = part;
    const ignored: number[] = [];
    const write = (draft: RecordDraft): number => {
      log.record(draft);
      const seq = log.lastSeq;
      ignored.push(seq);
      if (ignored.length > maxIgnored) ignored.shift();
      log.flush();
      return seq;
    };
    const alerts = new RunAlerts(
      part,
      this.alerts.filter((alert) => !this.disabled.has(alert)),
      {
        regex: this.regex,
        day: this.day,
        now: this.options.now,
        ignored,
        matched: (alert, count, first, newest) =>
          this.paces.get(alert)?.add(count, { ...first, run, write }, { ...newest, run, write }),
        failed: (alert, error) => this.disable(alert, error),
      },
    );
    this.watched.add(alerts);
    return {
      dispose: () => {
        alerts.dispose();
        this.watched.delete(alerts);
      },
    };
  }

  dispose(): void {
    for (const alerts of this.watched) alerts.dispose();
    for (const pace of this.paces.values()) pace.dispose();
    this.regex.dispose();
  }

  private report(alert: Alert, { run, write, what, seq, sessionId }: MatchIn<Run>, others: number): void {
    const at = this.options.now();
    const own = alert.message === undefined ? what : verbatim(alert.message);
    const words = { what: others === 0 ? own : t('{0} (and {1} more in the last minute)', own, others) };
    const data: DiagnosisData = {
      code: 'alert',
      count: 1 + others,
      since: others === 0 ? at : at - alertPace,
      evidence: [seq],
    };
    const written = write({
      receivedAt: at,
      level: 'warning',
      kind: 'diagnosis',
      ...(sessionId !== undefined && { sessionId }),
      logger: data.code,
      message: diagnosisText(words, english),
      words,
      data,
    });
    this.options.onAlert({ alert, run, what: words.what, seq: written });
  }

  /** Called for each run that has the alert; reported once. */
  private disable(alert: Alert, error: unknown): void {
    if (this.disabled.has(alert)) return;
    this.disabled.add(alert);
    this.options.onDisabled(alert, error);
  }
}
