import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import type { OtlpReport } from '../../runs/otlp/otlpSender';
import type { WayToLog } from '../wayToLog';

/** The output channel that says how the export goes, and how many records were not sent. It is made when there is something to say. */
export class OtlpChannel implements WayToLog {
  private channel: vscode.LogOutputChannel | undefined;

  get title(): string {
    return vscode.l10n.t('Show Log');
  }

  show(): Promise<void> {
    this.open().show(true);
    return Promise.resolve();
  }

  tell(message: string): void {
    this.open().info(message);
  }

  report(url: string, report: OtlpReport): void {
    switch (report.type) {
      case 'reached':
        return this.open().info(vscode.l10n.t('{0} takes them.', url));
      case 'unreachable':
        return this.open().warn(
          vscode.l10n.t('{0} cannot be reached: {1}. It is tried again.{2}', url, oneLine(report.reason), hint(url)),
        );
      case 'refused':
        return this.open().error(
          vscode.l10n.t('{0} refuses the records: {1}. They are not sent again.', url, oneLine(report.reason)),
        );
      case 'recovered':
        return this.open().info(
          vscode.l10n.t('{0} takes records again. Not sent meanwhile: {1}.', url, report.notSent),
        );
      case 'not-sent':
        return this.open().warn(
          vscode.l10n.t('Not sent since the last time this was told: {0} records.', report.notSent),
        );
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

/** The port of the other transport is a common mistake. */
function hint(url: string): string {
  return new URL(url).port === '4317'
    ? ` ${vscode.l10n.t('Port 4317 is mostly gRPC; OTLP over HTTP is at 4318.')}`
    : '';
}
