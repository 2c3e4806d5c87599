import { translate } from '../../kit/translate';
import * as vscode from 'vscode';
import { shownLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import type { OtlpReport } from '../../../otlp/otlpDelivery';
import { LogChannel } from '../logChannels';

/** What was exported. */
export type OtlpItems = 'records' | 'spans' | 'durations';

/** The output channel for the state of the export. */
export class OtlpChannel extends LogChannel {
  constructor() {
    super('Agent Logs: OTLP');
  }

  write(message: string): void {
    this.open().info(message);
  }

  report(url: string, what: OtlpItems, report: OtlpReport): void {
    switch (report.type) {
      case 'connected':
        return this.open().info(vscode.l10n.t('Connected to {0}.', url));
      case 'unreachable':
        return this.open().warn(vscode.l10n.t("Can't reach {0}: {1}. Retrying.{2}", url, reasonOf(report), hint(url)));
      case 'refused':
        return this.open().error(rejected(url, what, reasonOf(report)));
      case 'reconnected': {
        const reconnected = vscode.l10n.t('Reconnected to {0}.', url);
        return this.open().info(report.notSent === 0 ? reconnected : `${reconnected} ${notSent(report.notSent, what)}`);
      }
      case 'not-sent':
        return this.open().warn(notSent(report.notSent, what));
    }
  }
}

function rejected(url: string, what: OtlpItems, reason: string): string {
  switch (what) {
    case 'records':
      return vscode.l10n.t("{0} rejected records: {1}. They won't be sent again.", url, reason);
    case 'spans':
      return vscode.l10n.t("{0} rejected spans: {1}. They won't be sent again.", url, reason);
    case 'durations':
      return vscode.l10n.t("{0} rejected durations: {1}. They won't be sent again.", url, reason);
  }
}

function notSent(count: number, what: OtlpItems): string {
  switch (what) {
    case 'records':
      return count === 1 ? vscode.l10n.t('1 record was not sent.') : vscode.l10n.t('{0} records were not sent.', count);
    case 'spans':
      return count === 1 ? vscode.l10n.t('1 span was not sent.') : vscode.l10n.t('{0} spans were not sent.', count);
    case 'durations':
      return count === 1
        ? vscode.l10n.t('1 duration was not sent.')
        : vscode.l10n.t('{0} durations were not sent.', count);
  }
}

/** Port 4317 (gRPC) is a common mistake. */
function hint(url: string): string {
  return new URL(url).port === '4317'
    ? ` ${vscode.l10n.t('Port 4317 is usually gRPC; OTLP over HTTP uses port 4318.')}`
    : '';
}

function reasonOf({ reason }: { readonly reason: Words }): string {
  return shownLine(translate(reason));
}
