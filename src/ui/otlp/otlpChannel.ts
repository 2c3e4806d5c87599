import { translate } from '../translate';
import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import type { OtlpReport } from '../../runs/otlp/otlpDelivery';
import type { LogLink } from '../notify';

/** What was exported. */
export type OtlpItems = 'records' | 'spans';

/** The output channel for the state of the export. Created when the first line is written. */
export class OtlpChannel implements LogLink {
  private channel: vscode.LogOutputChannel | undefined;

  get title(): string {
    return vscode.l10n.t('Show Log');
  }

  show(): Promise<void> {
    this.open().show(true);
    return Promise.resolve();
  }

  write(message: string): void {
    this.open().info(message);
  }

  report(url: string, what: OtlpItems, report: OtlpReport): void {
    switch (report.type) {
      case 'connected':
        return this.open().info(vscode.l10n.t('Connected to {0}.', url));
      case 'unreachable':
        return this.open().warn(
          vscode.l10n.t("Can't reach {0}: {1}. Retrying.{2}", url, oneLine(translate(report.reason)), hint(url)),
        );
      case 'refused':
        return this.open().error(
          what === 'records'
            ? vscode.l10n.t(
                "{0} rejected records: {1}. They won't be sent again.",
                url,
                oneLine(translate(report.reason)),
              )
            : vscode.l10n.t(
                "{0} rejected spans: {1}. They won't be sent again.",
                url,
                oneLine(translate(report.reason)),
              ),
        );
      case 'reconnected': {
        const reconnected = vscode.l10n.t('Reconnected to {0}.', url);
        return this.open().info(report.notSent === 0 ? reconnected : `${reconnected} ${notSent(report.notSent, what)}`);
      }
      case 'not-sent':
        return this.open().warn(notSent(report.notSent, what));
    }
  }

  dispose(): void {
    this.channel?.dispose();
  }

  private open(): vscode.LogOutputChannel {
    this.channel ??= vscode.window.createOutputChannel('Agent Logs: OTLP', { log: true });
    return this.channel;
  }
}

function notSent(count: number, what: OtlpItems): string {
  if (what === 'spans') {
    return count === 1 ? vscode.l10n.t('1 span was not sent.') : vscode.l10n.t('{0} spans were not sent.', count);
  }
  return count === 1 ? vscode.l10n.t('1 record was not sent.') : vscode.l10n.t('{0} records were not sent.', count);
}

/** Port 4317 (gRPC) is a common mistake. */
function hint(url: string): string {
  return new URL(url).port === '4317'
    ? ` ${vscode.l10n.t('Port 4317 is usually gRPC; OTLP over HTTP uses port 4318.')}`
    : '';
}
