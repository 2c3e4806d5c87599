import { translate } from '../../kit/translate';
import * as vscode from 'vscode';
import { shownLine } from '../../../text/text';
import { messageOf } from '../../../text/humanError';
import type { OtlpReport } from '../../../otlp/otlpDelivery';
import type { OtlpEndpoint } from '../../../otlp/otlpHttp';
import type { OtlpSource } from '../../../otlp/otlpRecord';
import type { OtlpDurationSender, OtlpLogSender, OtlpSpanSender } from '../../../otlp/otlpSender';
import type { OtlpTarget } from '../../../otlp/otlpTarget';
import { otlpTarget, shownUrl } from '../../../otlp/otlpTarget';
import type { Run } from '../../../live/run';
import type { Runs } from '../../../runs/runs';
import type { Span } from '../../../timeline/span';
import type { Configuration } from '../configuration';
import type { Disposable } from '../../kit/disposables';
import { DisposableOwner, PerRun } from '../../kit/disposables';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';
import { showError } from '../../kit/notify';
import type { OtlpItems } from './otlpChannel';
import { OtlpChannel } from './otlpChannel';

/** Maximum time for a request including retries and `Retry-After`, in milliseconds. */
const requestTimeout = 60_000;
/** How long deactivation waits for the last records, in milliseconds. */
const graceAtEnd = 1000;
/** After the settings change, how long the old collector still gets the last records, in milliseconds. */
const graceAtChange = 10_000;

/** Maximum number of spans that ended in one slice of the wire. Beyond it, spans are lost. */
const maxSpans = 10_000;

interface Senders {
  readonly logs: OtlpLogSender;
  readonly spans: OtlpSpanSender | undefined;
  readonly durations: OtlpDurationSender | undefined;
}

/** Exports the records, and optionally the spans and their durations, of this window's runs to the collector in the settings. Without one, costs one call per change. */
export class OtlpExport extends DisposableOwner {
  private readonly channel = this.own(new OtlpChannel());
  private target: OtlpTarget = { type: 'off' };
  private withTraces = false;
  private withMetrics = false;
  /** Loaded with the first records; undefined if that failed. */
  private senders: Promise<Senders | undefined> | undefined;
  /** Whether the channel is disposed. */
  private ended = false;

  constructor(
    runs: Runs,
    private readonly configuration: Configuration,
  ) {
    super();
    this.own(new PerRun(runs, (run) => this.follow(run)));
    this.own(configuration.onDidChange(() => this.configure()));
    this.configure();
  }

  /** Sends queued records, for as long as deactivation can wait. */
  async end(): Promise<void> {
    await end(await this.senders, graceAtEnd);
    this.ended = true;
    super.dispose();
  }

  private follow(run: Run): readonly Disposable[] {
    const source: OtlpSource = {
      attributes: { 'service.name': run.name, 'service.instance.id': run.id },
      raw: (seq) => run.log.store.raw(seq),
      spanAt: ({ sessionId, seq }) => (this.withTraces ? run.log.turnAt(sessionId, seq) : undefined),
      span: (id) => run.log.span(id),
    };
    let ended: Span[] = [];
    return [
      run.log.onSpanEnded((span) => {
        const isWanted = this.withTraces || this.withMetrics;
        if (isWanted && this.target.type === 'on' && ended.length < maxSpans) ended.push(span);
      }),
      run.log.onDidChange((change) => {
        if (this.target.type !== 'on' || (change.count === 0 && ended.length === 0)) return;
        const records = change.count === 0 ? [] : change.records; // the store may drop them before the sender is loaded
        const spans = ended;
        ended = [];
        this.senders ??= this.connect(this.target);
        void this.senders.then((senders) => {
          senders?.logs.add(source, records);
          senders?.spans?.add(source, spans);
          senders?.durations?.add(source, spans);
        });
      }),
    ];
  }

  private configure(): void {
    const { endpoint, headers, traces, metrics } = this.configuration.otlp;
    const before = this.target;
    const target = otlpTarget(endpoint, headers, process.env);
    const isSame = traces === this.withTraces && metrics === this.withMetrics;
    if (isSame && JSON.stringify(target) === JSON.stringify(before)) return;
    this.target = target;
    this.withTraces = traces;
    this.withMetrics = metrics;
    // If the settings name another collector, the old one still gets the records that were meant for it.
    void this.senders?.then((senders) => (target.type === 'on' ? end(senders, graceAtChange) : close(senders)));
    this.senders = undefined;
    if (target.type === 'on') {
      this.channel.write(vscode.l10n.t('Exporting records to {0}.', shownUrl(target.url)));
      if (traces) this.channel.write(vscode.l10n.t('Exporting spans to {0}.', shownUrl(target.tracesUrl)));
      if (metrics) this.channel.write(vscode.l10n.t('Exporting durations to {0}.', shownUrl(target.metricsUrl)));
    }
    if (target.type === 'off' && before.type !== 'off') {
      this.channel.write(vscode.l10n.t('Records are no longer exported.'));
    }
    if (target.type === 'invalid') void this.reportMistake(translate(target.message));
  }

  private async connect({
    url,
    tracesUrl,
    metricsUrl,
    headers,
  }: OtlpTarget & { type: 'on' }): Promise<Senders | undefined> {
    const { withTraces, withMetrics } = this;
    const library = await import('../../../otlp/otlpSender').catch((error: unknown) => {
      const reason = shownLine(messageOf(error));
      // For example, an update removed the files that this window was started with.
      this.channel.write(vscode.l10n.t("Couldn't load the exporter: {0}. Reload the window to try again.", reason));
    });
    if (!library) return undefined;
    const reportFor =
      (to: string, what: OtlpItems) =>
      (report: OtlpReport): void => {
        if (!this.ended) this.channel.report(shownUrl(to), what, report);
      };
    const endpoint = (to: string): OtlpEndpoint => ({ url: to, headers, timeout: requestTimeout });
    return {
      logs: library.otlpSender(endpoint(url), reportFor(url, 'records')),
      spans: withTraces ? library.otlpSpanSender(endpoint(tracesUrl), reportFor(tracesUrl, 'spans')) : undefined,
      durations: withMetrics
        ? library.otlpDurationSender(endpoint(metricsUrl), reportFor(metricsUrl, 'durations'))
        : undefined,
    };
  }

  private async reportMistake(message: string): Promise<void> {
    const open = vscode.l10n.t('Open Setting');
    this.channel.write(message);
    if ((await showError(message, this.channel, open)) !== open) return;
    await executeCommand(openSettingCommand('otlp.endpoint'));
  }
}

async function end(senders: Senders | undefined, grace: number): Promise<void> {
  await Promise.all([senders?.logs.end(grace), senders?.spans?.end(grace), senders?.durations?.end(grace)]);
}

function close(senders: Senders | undefined): void {
  senders?.logs.close();
  senders?.spans?.close();
  senders?.durations?.close();
}
