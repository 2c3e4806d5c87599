import * as vscode from 'vscode';
import type { SessionNow } from '../../../../past/saved/now/stateChanges';
import type { AnySession } from '../../../../runs/joinedSessions';
import { isLiveSession } from '../../../../runs/liveSession';
import { sessionLabel } from '../../../../text/sessionLabel';
import { plainText, shownLine } from '../../../../text/text';
import { commandIds } from '../../../manifest/commands';
import { describeInRow, describeNow } from '../../../services/now/describeNow';
import { shownDate } from '../../../kit/translate';
import { accessibleLabel, relativeTime, shortLabel } from '../format';
import { failedIcon, liveIcon } from '../icons';
import { GroupRow } from './groupRow';
import { Row } from './row';
import type { RowSources } from './rowSources';
import { folderName } from './savedSessionRow';

/** The sessions on this machine that work, wait for the user, or have ended unread. */
export class NowRow extends Row {
  static readonly context = 'now';
  readonly id = 'now';
  readonly parent = undefined;
  private readonly rows = new Map<string, NowSessionRow>();

  constructor(private readonly sources: RowSources) {
    super();
  }

  override children(): readonly NowSessionRow[] {
    const shown = this.sources.sessionsNow.shown;
    const keys = new Set(shown.map(({ key }) => key));
    for (const key of this.rows.keys()) if (!keys.has(key)) this.rows.delete(key);
    return shown.map((session) => {
      const row = this.rows.get(session.key) ?? new NowSessionRow(this, session, this.sources);
      this.rows.set(session.key, row);
      row.session = session;
      return row;
    });
  }

  override tooltip(): string {
    return vscode.l10n.t('Sessions on this machine that work, wait for you, or have ended unread');
  }

  protected draw(): vscode.TreeItem {
    const label = vscode.l10n.t('Now');
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    const count = this.sources.sessionsNow.waiting.length;
    const waiting = count > 0 ? waitingText(count) : undefined;
    if (waiting !== undefined) item.description = waiting;
    item.iconPath = new vscode.ThemeIcon('pulse');
    item.contextValue = NowRow.context;
    item.accessibilityInformation = accessibleLabel(label, waiting, this.tooltip());
    return item;
  }
}

/** A session that works, waits, or has ended unread. A click opens it. */
export class NowSessionRow extends Row {
  readonly id: string;

  constructor(
    readonly parent: NowRow,
    public session: SessionNow<AnySession>,
    private readonly sources: RowSources,
  ) {
    super(isLiveSession(session.session) ? { run: session.session.run, sessionId: session.session.id } : {});
    this.id = `now:${session.key}`;
  }

  override tooltip(): string {
    const { session, state } = this.session;
    const { id, title, folder, model, modifiedAt, lastAt = modifiedAt } = session;
    return [
      plainText(shownLine(sessionLabel(id, title), 500)),
      plainText(describeNow(this.session, this.sources.now(), 500)),
      ...(state.type === 'failed' && state.cause && state.why !== undefined
        ? [plainText(shownLine(state.why, 500))]
        : []),
      this.session.agentName,
      ...(model === undefined ? [] : [vscode.l10n.t('Model: {0}', shownLine(model, 100))]),
      ...(folder === undefined ? [] : [vscode.l10n.t('Folder: {0}', shownLine(folder, 500))]),
      vscode.l10n.t('Last change: {0}', shownDate(lastAt)),
    ].join('\n');
  }

  protected draw(): vscode.TreeItem {
    const { session, state } = this.session;
    const title = shownLine(sessionLabel(session.id, session.title), 80);
    const item = new vscode.TreeItem(shortLabel(title));
    const now = this.sources.now();
    const facts = [
      describeInRow(this.session, now),
      this.session.agentName,
      ...(session.folder === undefined ? [] : [folderName(session.folder)]),
      ...('at' in state ? [relativeTime(now - state.at)] : []),
    ];
    item.description = facts.join(' · ');
    item.iconPath = iconOf(this.session);
    item.contextValue = contextOfNow(session);
    if (!isLiveSession(session)) {
      const title = vscode.l10n.t('Open Saved Session');
      item.command = { command: commandIds.openSavedSession, title, arguments: [this] };
    }
    item.accessibilityInformation = accessibleLabel(title, ...facts);
    return item;
  }
}

/** One of a run has the actions of its row below the run. */
function contextOfNow(session: AnySession): string {
  const group = isLiveSession(session) ? session.run.log.find(session.id) : undefined;
  return isLiveSession(session) && group ? GroupRow.contextOf(session.run, group) : 'nowSession openSavedSession';
}

/** `2 waiting`. */
function waitingText(count: number): string {
  return vscode.l10n.t('{0} waiting', count);
}

function iconOf({ state }: Pick<SessionNow, 'state'>): vscode.ThemeIcon {
  switch (state.type) {
    case 'waiting':
      return new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('list.warningForeground'));
    case 'failed':
      return failedIcon();
    case 'done':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    default:
      return liveIcon();
  }
}
