import { translate } from '../../../kit/translate';
import * as vscode from 'vscode';
import type { SaverId } from '../../../../agents/agents';
import type { FileRun } from '../../../../past/files/fileRun';
import { shownLine } from '../../../../text/text';
import { displayOf } from '../../../../text/translator';
import type { SavedSessions } from '../../../../past/saved/list/savedSessions';
import { accessibleLabel } from '../format';
import { NoteRow } from './noteRow';
import { Row } from './row';
import type { RowSources } from './rowSources';
import { SavedAgentRow } from './savedAgentRow';
import type { SavedSessionRow } from './savedSessionRow';

/** The sessions that other agents saved on this machine. Nothing is read before the row is expanded. */
export class SavedGroupRow extends Row {
  static readonly context = 'saved openSavedSession searchSessions showUsage filterSessions';
  static readonly filteredContext = 'saved openSavedSession searchSessions showUsage showAllSessions';
  readonly id = 'saved';
  readonly parent = undefined;
  private sessions: SavedSessions | undefined;
  private subscription: { dispose(): void } | undefined;
  private found: boolean | undefined;
  private looks = 0;
  private readonly agents = new Map<SaverId, SavedAgentRow>();
  private listed: readonly SavedAgentRow[] = [];
  private note: NoteRow | undefined;
  /** Why the agents couldn't be found the last time. What was found before stays. */
  private failure: NoteRow | undefined;
  /** Shown if a filter leaves out all agents. */
  private readonly none = new NoteRow(this, vscode.l10n.t('No agent matches'), 'info');
  override isUnfolded = false;
  private isVisible = true;

  constructor(private readonly sources: RowSources) {
    super();
  }

  get isShown(): boolean {
    const { isShown } = this.sources.saved;
    if (!isShown) this.reset();
    return isShown;
  }

  /** Whether an agent has saved sessions; `undefined` if nobody has looked. */
  get hasAny(): boolean | undefined {
    return this.found;
  }

  /** Call this while nobody looks, as what was found gets old. */
  forgetLook(): void {
    this.looks++;
    this.found = undefined;
  }

  /** Looks into the agents' folders, and at a session only if it must. */
  async lookForAny(): Promise<void> {
    const look = ++this.looks;
    const hasAny = await this.sources.saved
      .load()
      .then((sessions) => sessions.hasAny())
      .catch(() => this.found ?? false);
    // One that began earlier had older settings, and may end later: a group that comes back is collapsed.
    if (look === this.looks) this.found = hasAny;
  }

  /** Whether the rows below it can be seen. */
  get isOnScreen(): boolean {
    return this.isUnfolded && this.isVisible;
  }

  override async load(): Promise<void> {
    this.isUnfolded = true;
    try {
      const sessions = await this.sources.saved.load();
      const isListed = sessions === this.sessions && !this.failure;
      if (sessions !== this.sessions) this.use(sessions);
      if (!isListed) await this.look(sessions);
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    this.failure = new NoteRow(this, translate(displayOf(error)), 'warning');
  }

  override unfolded(isUnfolded: boolean): void {
    const isAgain = isUnfolded && !this.isUnfolded && this.sessions !== undefined;
    super.unfolded(isUnfolded);
    for (const row of this.agents.values()) row.updateWatch();
    if (isAgain) void this.lookAgain();
  }

  /** Call this when the view is shown or hidden. */
  setVisible(isVisible: boolean): void {
    this.isVisible = isVisible;
    for (const row of this.agents.values()) row.updateWatch();
  }

  /** Draws times again. */
  tick(redraw: (row: Row) => void): void {
    if (!this.isOnScreen) return;
    for (const row of this.listed) {
      redraw(row);
      row.tick(redraw);
    }
  }

  /** Call this when another filter applies. */
  filterChanged(): void {
    for (const row of this.agents.values()) row.filterChanged();
    this.sources.redraw(this);
  }

  override children(): readonly Row[] {
    const { failure } = this;
    if (!this.sessions) return failure ? [failure] : [];
    const opened = this.sources.fileRuns.open.flatMap(({ info }) =>
      info.saved ? [this.agents.get(info.saved.agent)] : [],
    );
    const { filter } = this.sources.saved;
    const listed = this.listed.filter(({ name }) => filter?.fitsAgent(name) !== false);
    const rows = new Set([...listed, ...opened.filter((row) => row !== undefined)]);
    if (failure || rows.size > 0) return [...(failure ? [failure] : []), ...rows];
    if (filter && this.listed.length > 0) return [this.none];
    return this.note ? [this.note] : [];
  }

  /** The row of a saved session that is open; `undefined` before the group was first expanded. */
  row(run: FileRun): SavedSessionRow | undefined {
    return run.info.saved && this.agent(run.info.saved.agent)?.row(run);
  }

  /** Drops the row of a run that was closed. */
  forget(run: FileRun): void {
    if (run.info.saved) this.agents.get(run.info.saved.agent)?.forget(run);
  }

  /** Forgets what was listed, and stops watching it. */
  reset(): void {
    this.subscription?.dispose();
    for (const row of this.agents.values()) row.dispose();
    this.agents.clear();
    this.sessions = undefined;
    this.listed = [];
    this.note = undefined;
    this.failure = undefined;
    this.isUnfolded = false;
  }

  override tooltip(): string {
    const about = vscode.l10n.t('Sessions that other agents saved on this machine');
    return [about, ...this.only()].join('\n');
  }

  protected draw(): vscode.TreeItem {
    const label = vscode.l10n.t('On This Machine');
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('device-desktop');
    const { filter } = this.sources.saved;
    const [only] = this.only();
    if (only !== undefined) item.description = only;
    item.contextValue = filter ? SavedGroupRow.filteredContext : SavedGroupRow.context;
    item.accessibilityInformation = accessibleLabel(
      label,
      only,
      vscode.l10n.t('Sessions that other agents saved on this machine'),
    );
    return item;
  }

  /** What the filter leaves. */
  private only(): readonly string[] {
    const { filter } = this.sources.saved;
    return filter ? [vscode.l10n.t('only {0}', shownLine(filter.text, 80))] : [];
  }

  private agent(agent: SaverId): SavedAgentRow | undefined {
    if (!this.sessions) return undefined;
    const row = this.agents.get(agent) ?? new SavedAgentRow(this, agent, this.sessions, this.sources);
    this.agents.set(agent, row);
    return row;
  }

  private use(sessions: SavedSessions): void {
    this.reset();
    this.isUnfolded = true;
    this.sessions = sessions;
    this.subscription = sessions.onDidChange((agent) => void this.agents.get(agent)?.renew());
  }

  /** Finds the agents, that with the newest session first. */
  private async look(sessions: SavedSessions): Promise<void> {
    const found = await sessions.agents();
    const rows = found.flatMap(({ agent }) => this.agent(agent) ?? []);
    // One that can't be read says so when it is expanded.
    const isWanted = await Promise.all(rows.map((row) => row.look().catch(() => true)));
    if (sessions !== this.sessions) return;
    this.listed = rows.filter((_, index) => isWanted[index]).sort((a, b) => b.newestAt - a.newestAt);
    this.note = new NoteRow(this, vscode.l10n.t('No saved sessions found'), 'info');
    this.failure = undefined;
  }

  /** Looks for agents that have sessions now, but had none. */
  async lookForNew(): Promise<void> {
    const { sessions, listed } = this;
    if (!sessions || !this.isOnScreen) return;
    const unlisted = (await sessions.agents()).filter(({ agent }) => !listed.some((row) => row.agent === agent));
    const rows = unlisted.flatMap(({ agent }) => this.agent(agent) ?? []);
    const isWanted = await Promise.all(rows.map((row) => row.look()));
    const found = rows.filter((_, index) => isWanted[index]);
    if (found.length === 0 || listed !== this.listed) return;
    this.listed = [...found, ...listed];
    this.sources.redraw(this);
  }

  private async lookAgain(): Promise<void> {
    const { sessions } = this;
    if (!sessions) return;
    const before = this.children();
    await this.look(sessions).catch((error: unknown) => this.failed(error));
    const now = this.children();
    if (before.length !== now.length || before.some((row, index) => row !== now[index])) this.sources.redraw(this);
  }
}
