import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import { messageOf } from '../../runs/humanError';
import type { OtlpSource } from '../../runs/otlp/otlpRecord';
import type { OtlpSender } from '../../runs/otlp/otlpSender';
import type { OtlpTarget } from '../../runs/otlp/otlpTarget';
import { otlpTarget, shownUrl } from '../../runs/otlp/otlpTarget';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';
import { showError } from '../notify';
import { PerRun } from '../perRun';
import { OtlpChannel } from './otlpChannel';

/** How long a request is retried, or waits as `Retry-After` says, in milliseconds. */
const requestTimeout = 60_000;
/** How long deactivation waits for the last records, in milliseconds. */
const graceAtEnd = 1000;
/** How long the last records are sent to the old collector after the settings have changed, in milliseconds. */
const graceAtChange = 10_000;

/** Exports the records of this window's runs to the collector in the settings. If there is none, it costs one call per change of a run. */
export class OtlpExport {
  private readonly disposables = new Disposables();
  private readonly channel = this.disposables.add(new OtlpChannel());
  private target: OtlpTarget = { type: 'off' };
  /** Loaded with the first records; undefined if that failed. */
  private sender: Promise<OtlpSender | undefined> | undefined;
  /** The channel is disposed. */
  private ended = false;

  constructor(
    runs: Runs,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(new PerRun(runs, (run, disposables) => this.follow(run, disposables)));
    this.disposables.add(configuration.onDidChange(() => this.configure()));
    this.configure();
  }

  /** Sends what waits, for as long as deactivation can wait for it. */
  async end(): Promise<void> {
    const sender = await this.sender;
    await sender?.end(graceAtEnd);
    this.ended = true;
    this.disposables.dispose();
  }

  private follow(run: Run, disposables: Disposables): void {
    const source: OtlpSource = {
      attributes: { 'service.name': run.name, 'service.instance.id': run.id },
      raw: (seq) => run.log.store.raw(seq),
    };
    disposables.add(
      run.log.onDidChange((change) => {
        if (this.target.type !== 'on' || change.count === 0) return;
        const { records } = change; // The store may drop them before the sender is loaded.
        this.sender ??= this.connect(this.target);
        void this.sender.then((sender) => sender?.add(source, records));
      }),
    );
  }

  private configure(): void {
    const { endpoint, headers } = this.configuration.otlp;
    const target = otlpTarget(endpoint, headers, process.env);
    if (JSON.stringify(target) === JSON.stringify(this.target)) return;
    this.target = target;
    // If the settings name another collector, the old one still gets the records that were meant for it.
    void this.sender?.then((sender) => (target.type === 'on' ? sender?.end(graceAtChange) : sender?.close()));
    this.sender = undefined;
    if (target.type === 'on') this.channel.write(vscode.l10n.t('Exporting records to {0}.', shownUrl(target.url)));
    if (target.type === 'off') this.channel.write(vscode.l10n.t('Records are no longer exported.'));
    if (target.type === 'invalid') void this.reportMistake(target.message);
  }

  private async connect({ url, headers }: Extract<OtlpTarget, { type: 'on' }>): Promise<OtlpSender | undefined> {
    const library = await import('../../runs/otlp/otlpSender').catch((error: unknown) => {
      const reason = oneLine(messageOf(error));
      // For example, an update has removed the files that this window was started with.
      this.channel.write(vscode.l10n.t("Couldn't load the exporter: {0}. Reload the window to try again.", reason));
    });
    return library?.otlpSender({ url, headers, timeout: requestTimeout }, (report) => {
      if (!this.ended) this.channel.report(shownUrl(url), report);
    });
  }

  private async reportMistake(message: string): Promise<void> {
    const open = vscode.l10n.t('Open Setting');
    this.channel.write(message);
    if ((await showError(message, this.channel, open)) !== open) return;
    await executeCommand(openSettingCommand('otlp.endpoint'));
  }
}
