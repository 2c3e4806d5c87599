import * as vscode from 'vscode';
import { boundedJson } from '../../../../text/boundedJson';
import { shownMessage } from '../../../../diagnosis/diagnosisText';
import type { LogRecord } from '../../../../text/record';
import { cutAnywhere, shownLine, plainText } from '../../../../text/text';
import type { RunView } from '../../../../runLog/runView';
import { commandIds } from '../../../manifest/commands';
import { accessibleLabel, clock } from '../format';
import { kindNames } from '../../../../text/kindNames';
import { levelIcon } from '../icons';
import { Row } from './row';
import { l10n, translate } from '../../../kit/translate';

/** A record. */
export class RecordRow extends Row {
  static readonly context = 'record openRecord openAsText showOutput copyMessage copyRecord';
  readonly id: string;

  constructor(
    readonly parent: Row & { readonly run: RunView },
    readonly record: LogRecord,
  ) {
    super({ run: parent.run, sessionId: record.sessionId, record });
    this.id = `record:${parent.run.id}:${record.seq}`;
  }

  override tooltip(): string {
    const { level, kind, logger, receivedAt, data } = this.record;
    const head = [level, kind, ...(kind === 'diagnosis' && logger !== undefined ? [logger] : []), clock(receivedAt)];
    const details = data === undefined ? '' : `\n${plainText(boundedJson(data, 1000))}`;
    return `${head.join(' · ')}\n${plainText(cutAnywhere(shownMessage(this.record, l10n), 2000))}${details}`;
  }

  protected draw(): vscode.TreeItem {
    const { level, logger, kind, receivedAt } = this.record;
    const message = shownLine(shownMessage(this.record, l10n), 200) || vscode.l10n.t('(empty)');
    // A row has little room, and a problem's sentence says more than its code.
    const isNamed = logger !== undefined && kind !== 'diagnosis';
    const label = isNamed ? `${shownLine(logger, 40)}: ${message}` : message;
    const item = new vscode.TreeItem(label);
    const isSettled = this.parent.run.log.settledBy(this.record.seq) !== undefined;
    const state = isSettled ? vscode.l10n.t('{0}, settled', level) : level;
    item.description = `${state} · ${clock(receivedAt)}`;
    item.iconPath = isSettled ? new vscode.ThemeIcon('pass') : levelIcon(level);
    item.contextValue = RecordRow.context;
    item.command = { command: commandIds.openRecord, title: vscode.l10n.t('Open Record'), arguments: [this.target] };
    item.accessibilityInformation = accessibleLabel(state, translate(kindNames[kind]), label, clock(receivedAt));
    return item;
  }
}
