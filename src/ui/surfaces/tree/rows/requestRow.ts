import * as vscode from 'vscode';
import { shownLine, progressText } from '../../../../text/text';
import { t } from '../../../../text/translator';
import { peer } from '../../../../protocols/terms';
import type { OpenRequest } from '../../../../work/requests';
import { actionsOfRequest } from '../../../../runs/actions';
import { activeUntil } from '../../../../past/files/fileRuns';
import type { RunView } from '../../../../runLog/runView';
import { accessibleLabel } from '../format';
import { roundedDown } from '../runText';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { l10n } from '../../../kit/translate';
import { translateFor } from '../../../kit/translateFor';

/** A request without a response yet. */
export class RequestRow extends Row {
  readonly id: string;

  constructor(
    readonly parent: Row & { readonly run: RunView },
    readonly request: OpenRequest,
    private readonly sources: Pick<RowSources, 'now'>,
  ) {
    super({ run: parent.run, sessionId: request.sessionId, request });
    this.id = `request:${parent.run.id}:${request.direction}:${typeof request.id}:${request.id}`;
  }

  protected draw(): vscode.TreeItem {
    const { request } = this;
    const { run } = this.parent;
    const method = shownLine(request.method, 100);
    const item = new vscode.TreeItem(method);
    const elapsed = { ms: roundedDown(activeUntil(run, this.sources.now()) - request.startedAt) };
    const state =
      request.direction === 'out'
        ? l10n.t('waiting for {0}', elapsed)
        : translateFor(run, t('request from the {1}, open for {0}', elapsed, peer));
    const progress = request.progress ? progressText(request.progress) : '';
    item.description = progress === '' ? state : `${progress} · ${state}`;
    item.iconPath = new vscode.ThemeIcon('loading~spin');
    item.contextValue = contextOf('request', actionsOfRequest(run, request));
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Open request {0}', method), item.description);
    return item;
  }
}
