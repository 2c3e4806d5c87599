import * as vscode from 'vscode';
import { lazy } from '../../../text/lazy';
import { shownLine, withoutMarks } from '../../../text/text';
import type { Alert } from '../../../alerts/alert';
import type { AlertReport, AlertWatch } from '../../../alerts/alertWatch';
import type { RunPart } from '../../../alerts/runAlerts';
import type { FileRun } from '../../../past/files/fileRun';
import type { FileRuns } from '../../../past/files/fileRuns';
import { isFileRun } from '../../../past/files/fileRuns';
import { messageOf } from '../../../text/humanError';
import type { Run } from '../../../live/run';
import type { Runs } from '../../../runs/runs';
import type { Configuration } from '../configuration';
import type { Disposable } from '../../kit/disposables';
import { DisposableOwner, Disposables, PerRun } from '../../kit/disposables';
import { prefix } from '../../manifest/names';
import type { LogLink } from '../../kit/notify';
import { showAlert, showWarning } from '../../kit/notify';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';
import { translate } from '../../kit/translate';
import { showNotice } from '../../kit/whyButton';

type AnyRun = Run | FileRun;

/** The cost of today's turns. */
const costKey = `${prefix}.alerts.cost`;

/** Watches live runs for the user's alerts, and shows notifications. Without alerts, it costs one call per run. */
export class AlertNotices extends DisposableOwner {
  private setting = '[]';
  /** The watch for the current setting; `undefined` if it has no alerts. */
  private watch: Promise<AlertWatch<AnyRun> | undefined> | undefined;
  /** The followed runs of the current setting. */
  private readonly followed = new Map<AnyRun, Disposable>();
  /** Alerts without notifications until the window is reloaded or their entry changes. */
  private readonly muted = new Set<string>();
  private warned: readonly string[] = [];
  private readonly load = lazy(async () => ({
    ...(await import('../../../alerts/alertSettings')),
    ...(await import('../../../alerts/alertWatch')),
  }));

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly configuration: Configuration,
    private readonly memory: vscode.Memento,
    private readonly log: LogLink & { warn(message: string): void; error(error: unknown): void },
  ) {
    super();
    this.own(new PerRun<Run>(runs, (run) => [this.added(run)]));
    this.own(new PerRun<FileRun>(fileRuns, (run) => [this.added(run)]));
    this.own(configuration.onDidChange(() => this.configure()));
    this.configure();
  }

  override dispose(): void {
    super.dispose();
    this.stop();
  }

  private configure(): void {
    const setting = JSON.stringify(this.configuration.alerts ?? []);
    if (setting === this.setting) return;
    this.setting = setting;
    this.stop();
    if (setting === '[]') return;
    this.watch = this.start(setting).catch((error: unknown) => {
      this.log.error(error);
      return undefined;
    });
    for (const run of [...this.runs.all, ...this.fileRuns.open]) this.follow(run);
  }

  private async start(setting: string): Promise<AlertWatch<AnyRun> | undefined> {
    const library = await this.load();
    if (setting !== this.setting) return undefined;
    const { alerts, mistakes } = library.alertsIn(JSON.parse(setting));
    void this.warnOf(mistakes.map(({ message }) => translate(message)));
    for (const key of this.muted) if (!alerts.some((alert) => alert.key === key)) this.muted.delete(key);
    if (alerts.length === 0) return undefined;
    return new library.AlertWatch<AnyRun>(alerts, {
      memory: {
        get: () => this.memory.get<unknown>(costKey),
        set: (total) => void this.memory.update(costKey, total),
      },
      now: Date.now,
      onAlert: (report) => void this.notify(report),
      onDisabled: (alert, error) => void this.disabled(alert, error),
    });
  }

  private stop(): void {
    for (const followed of this.followed.values()) followed.dispose();
    this.followed.clear();
    void this.watch?.then((watch) => watch?.dispose());
    this.watch = undefined;
  }

  private added(run: AnyRun): Disposable {
    this.follow(run);
    return {
      dispose: () => {
        this.followed.get(run)?.dispose();
        this.followed.delete(run);
      },
    };
  }

  /** Watches what is new in a run: of a file, what is appended once it has been read. */
  private follow(run: AnyRun): void {
    const { watch } = this;
    if (!watch) return;
    const followed = new Disposables();
    this.followed.set(run, followed);
    const begin = (): void => {
      const part = partOf(run);
      void watch.then((loaded) => loaded && followed.add(loaded.follow(run, part)));
    };
    if (!isFileRun(run) || run.state.type === 'following') return begin();
    const caughtUp = followed.add(
      run.onDidChangeState(({ type }) => {
        if (type !== 'following') return;
        caughtUp.dispose();
        begin();
      }),
    );
  }

  private async notify({ alert, run, what, seq }: AlertReport<AnyRun>): Promise<void> {
    if (!alert.notifies || this.muted.has(alert.key)) return;
    const [show, mute] = [vscode.l10n.t('Show'), vscode.l10n.t('Mute')];
    const text = vscode.l10n.t('{0}: {1}', shownLine(run.name, 60), withoutMarks(translate(what)));
    const picked = await showAlert(text, show, mute);
    if (picked === mute) this.muted.add(alert.key);
    if (picked === show) await showNotice(run, { record: run.log.store.get(seq) });
  }

  private async disabled({ when }: Alert, error: unknown): Promise<void> {
    const query = when.type === 'query' ? when.text : '';
    await this.warn(
      vscode.l10n.t(
        'The alert {0} is disabled until the setting changes: {1}',
        shownLine(query, 100),
        shownLine(messageOf(error), 200),
      ),
    );
  }

  /** Warns even if the settings aren't open, because users rely on their alerts. */
  private async warnOf(mistakes: readonly string[]): Promise<void> {
    const fresh = mistakes.filter((mistake) => !this.warned.includes(mistake));
    this.warned = mistakes;
    for (const mistake of fresh.slice(1)) this.log.warn(mistake);
    if (fresh[0] !== undefined) await this.warn(fresh[0]);
  }

  private async warn(message: string): Promise<void> {
    const open = vscode.l10n.t('Open Setting');
    this.log.warn(message);
    if ((await showWarning(message, this.log, open)) !== open) return;
    await executeCommand(openSettingCommand('alerts'));
  }
}

function partOf(run: AnyRun): RunPart {
  const { log } = run;
  const after = log.lastSeq;
  if (!isFileRun(run)) return { log, after, since: undefined, isReread: false, costs: 'own' };
  const { origin, saved } = run.info;
  // Other windows show the same files. An opened journal or a saved session may be that of a run, whose costs would count twice.
  const costs = origin === 'tapped' || origin === 'watched' ? 'shared' : 'none';
  // A tapped agent is running, and its journal has real times.
  return { log, after, since: origin === 'tapped' ? undefined : Date.now(), isReread: saved !== undefined, costs };
}
