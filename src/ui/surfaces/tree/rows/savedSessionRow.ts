import * as vscode from 'vscode';
import { markedId, sessionLabel } from '../../../../text/sessionLabel';
import { shownLine, plainText } from '../../../../text/text';
import type { Actions } from '../../../../runs/actions';
import { actionsOf } from '../../../../runs/actions';
import type { FileRun } from '../../../../past/files/fileRun';
import type { SavedSession } from '../../../../past/saved/savedSession';
import { commandIds } from '../../../manifest/commands';
import { failedState } from '../../../../past/saved/now/sessionState';
import { describeFailed } from '../../../services/now/describeNow';
import { accessibleLabel, relativeTime, shortLabel } from '../format';
import { failedIcon, liveIcon } from '../icons';
import { describeState } from '../runText';
import { GroupRow } from './groupRow';
import type { Row } from './row';
import { contextOf } from './row';
import type { RowSources } from './rowSources';
import { RunRow } from './runRow';
import { shownDate, shownSize } from '../../../kit/translate';

/** A session that an agent saved: a run that is read when its row is expanded or clicked. */
export class SavedSessionRow extends RunRow {
  /** @param session from the last listing; `undefined` if it was opened without being listed */
  constructor(
    readonly file: FileRun,
    public session: SavedSession | undefined,
    private readonly from: RowSources,
    parent: Row,
  ) {
    super(file, from, () => ({ parent }));
  }

  /** Its records and subagents. Other sessions of the file, and what belongs to none of them, only if there are any. */
  override children(): readonly Row[] {
    const { connection } = this.file.log;
    const isEmpty = Object.values(connection.counts).every((count) => count === 0);
    return super.children().flatMap((row): readonly Row[] => {
      if (!(row instanceof GroupRow)) return [row];
      if (row.drawn === this) return row.children();
      return row.sessionId === undefined && isEmpty ? [] : [row];
    });
  }

  protected override isOwn(sessionId: string | undefined): boolean {
    return sessionId !== undefined && sessionId === this.file.info.saved?.sessionId;
  }

  override tooltip(): string {
    const { file, session } = this;
    const folder = session?.folder ?? file.cwd;
    const agent = file.info.saved?.agentName;
    return [
      plainText(shownLine(this.title(), 500)),
      ...(session?.problem === undefined ? [] : [plainText(shownLine(session.problem, 500))]),
      ...(this.own?.spent() ?? []),
      ...(agent === undefined ? [] : [[agent, session?.version].filter(Boolean).join(' ')]),
      ...(session?.model === undefined ? [] : [vscode.l10n.t('Model: {0}', shownLine(session.model, 100))]),
      ...(folder === '' ? [] : [vscode.l10n.t('Folder: {0}', folder)]),
      ...this.origin(),
      ...this.aboutCopy(),
      vscode.l10n.t('Started: {0}', shownDate(file.startedAt)),
      vscode.l10n.t('Last change: {0}', shownDate(this.lastAt)),
      `${file.info.saved?.shownPath ?? ''} · ${shownSize(session?.size ?? file.size)}`,
    ].join('\n');
  }

  protected override draw(): vscode.TreeItem {
    const title = this.title();
    const state = [...this.state(), ...this.fork(), ...this.copy()];
    // Otherwise a long title hides it.
    const label = state.length > 0 ? shortLabel(title) : title;
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    const facts = [...state, ...this.facts()];
    item.description = facts.join(' · ');
    item.iconPath = this.icon();
    item.contextValue = contextOf('run', this.actions());
    const command = vscode.l10n.t('Open Saved Session');
    item.command = { command: commandIds.openSavedSession, title: command, arguments: [this] };
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Saved session {0}', title), ...facts);
    return item;
  }

  /** An open run was made before its session was copied. */
  private actions(): Actions {
    const own = new Set(actionsOf(this.file));
    if (this.session?.kept) own.add('deleteCopy');
    if (this.session?.isGone === true) own.delete('keepCopy');
    return own;
  }

  private title(): string {
    const { session, file } = this;
    return shownLine(session ? sessionLabel(session.id, session.title) : file.name, 80);
  }

  private state(): string[] {
    const { file } = this;
    // How it ended is known before all of it was read.
    if (file.state.type === 'reading') return [describeState(file, this.from.now()), ...this.outcome()];
    if (this.isRunning) {
      const running = vscode.l10n.t('running');
      const [doing = running] = this.own?.activity() ?? [];
      return doing.startsWith(running) ? [doing] : [running, doing];
    }
    return this.outcome();
  }

  private outcome(): string[] {
    const { session } = this;
    if (session?.outcome === 'error') return [describeFailed(failedState(session))];
    if (session?.outcome === 'open') return [vscode.l10n.t('open')];
    return session?.outcome === 'cancelled' ? [vscode.l10n.t('interrupted')] : [];
  }

  private fork(): string[] {
    return this.session?.forkedFrom === undefined ? [] : [vscode.l10n.t('fork')];
  }

  /** Only of one that its agent has deleted: the others are theirs. */
  private copy(): string[] {
    return this.session?.isGone === true ? [vscode.l10n.t('kept')] : [];
  }

  private aboutCopy(): string[] {
    const { kept, isGone, agent } = this.session ?? {};
    if (!kept || !agent) return [];
    if (isGone !== true) return [vscode.l10n.t('A copy was kept: {0}', shownDate(kept.at))];
    const name = this.file.info.saved?.agentName ?? agent;
    return [vscode.l10n.t('{0} has deleted this session. The copy was made: {1}', name, shownDate(kept.at))];
  }

  private origin(): string[] {
    const from = this.session?.forkedFrom;
    if (from === undefined) return [];
    return [
      from === ''
        ? vscode.l10n.t('Forked from another session')
        : vscode.l10n.t('Forked from session {0}', markedId(from)),
    ];
  }

  private facts(): string[] {
    const { session, file } = this;
    const folder = folderName(session?.folder ?? file.cwd);
    const model = session?.model === undefined ? [] : [shownLine(session.model, 40)];
    const time = relativeTime(this.from.now() - this.lastAt);
    return [...(folder === '' ? [] : [folder]), time, ...model, ...(this.own?.facts() ?? [])];
  }

  /** The group of the session itself, once it was read. */
  private get own(): GroupRow | undefined {
    const id = this.file.info.saved?.sessionId;
    return id !== undefined && this.file.log.find(id) ? this.group(id) : undefined;
  }

  private icon(): vscode.ThemeIcon {
    if (this.isRunning) return liveIcon();
    const outcome = this.session?.outcome;
    if (outcome === 'error') return failedIcon();
    return new vscode.ThemeIcon(outcome === 'cancelled' ? 'circle-slash' : 'comment-discussion');
  }

  private get lastAt(): number {
    return this.session?.lastAt ?? this.session?.modifiedAt ?? this.file.info.modifiedAt;
  }

  private get isRunning(): boolean {
    return this.session?.running !== undefined;
  }
}

/** The last part of a path of any system. */
export function folderName(path: string): string {
  return shownLine(path.split(/[/\\]/).filter(Boolean).at(-1) ?? path, 40);
}
