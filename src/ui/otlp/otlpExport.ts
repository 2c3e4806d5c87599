import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import { messageOf } from '../../runs/humanError';
import type { OtlpSender } from '../../runs/otlp/otlpSender';
import type { OtlpTarget } from '../../runs/otlp/otlpTarget';
import { otlpTarget, shownUrl } from '../../runs/otlp/otlpTarget';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { go, wayToSetting } from '../settings/wayToSetting';
import { tellError } from '../notify';
import { PerRun } from '../perRun';
import { OtlpChannel } from './otlpChannel';

/** How long a batch is tried, with the exporter's own retries and what `Retry-After` asks for, in milliseconds. */
const batchTimeout = 60_000;
/** How long the end of the extension may wait for the last records, in milliseconds. */
const graceAtEnd = 1000;
/** How long the last records are sent to a collector once the settings name another, in milliseconds. */
const graceAtChange = 10_000;

/** Sends the records of this window's runs to a collector, where the settings name one. Off, it costs a call for each slice of the wire. */
export class OtlpExport {
  private readonly disposables = new Disposables();
  private readonly channel = this.disposables.add(new OtlpChannel());
  private target: OtlpTarget = { type: 'off' };
  /** Loaded with the first records; nothing where that was not possible. */
  private sender: Promise<OtlpSender | undefined> | undefined;
  /** The channel is gone. */
  private ended = false;

  constructor(
    runs: Runs,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(new PerRun(runs, (run, disposables) => this.follow(run, disposables)));
    this.disposables.add(configuration.onDidChange(() => this.configure()));
    this.configure();
  }

  /** Sends what waits, for as long as the end of the extension can wait for it. */
  async end(): Promise<void> {
    const sender = await this.sender;
    await sender?.end(graceAtEnd);
    this.ended = true;
    this.disposables.dispose();
  }

  private follow(run: Run, disposables: Disposables): void {
    const resource = { attributes: { 'service.name': run.name, 'service.instance.id': run.id } };
    const source = { resource, raw: (seq: number) => run.log.store.raw(seq) };
    disposables.add(
      run.log.onDidChange((change) => {
        if (this.target.type !== 'on' || change.count === 0) return;
        const { records } = change; // before they are gone
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
    // What it has was meant for where it went.
    void this.sender?.then((sender) => (target.type === 'on' ? sender?.end(graceAtChange) : sender?.dispose()));
    this.sender = undefined;
    if (target.type === 'on') this.channel.tell(vscode.l10n.t('Records are sent to {0}.', shownUrl(target.url)));
    if (target.type === 'off') this.channel.tell(vscode.l10n.t('Records are no longer sent.'));
    if (target.type === 'invalid') void this.tellOfSettings(target.message);
  }

  private async connect({ url, headers }: Extract<OtlpTarget, { type: 'on' }>): Promise<OtlpSender | undefined> {
    const library = await import('../../runs/otlp/otlpLibrary').catch((error: unknown) => {
      const reason = oneLine(messageOf(error));
      // As when an update has taken the files away that this window was started with.
      this.channel.tell(vscode.l10n.t('The export could not be loaded: {0}. Reload the window to try again.', reason));
    });
    return library?.otlpSender(
      { url, headers, timeout: batchTimeout },
      {
        report: (report) => {
          if (!this.ended) this.channel.report(shownUrl(url), report);
        },
        after: (ms, callback) => {
          const timer = setTimeout(callback, ms);
          return () => clearTimeout(timer);
        },
      },
    );
  }

  private async tellOfSettings(message: string): Promise<void> {
    const open = vscode.l10n.t('Open Setting');
    this.channel.tell(message);
    if ((await tellError(message, this.channel, open)) !== open) return;
    await go(wayToSetting('otlp.endpoint'));
  }
}
