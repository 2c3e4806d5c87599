import * as vscode from 'vscode';
import { wantedCodes } from '../../../query/compiledQuery';
import type { Level } from '../../../text/level';
import { reaches } from '../../../text/level';
import type { LogRecord, RecordKind } from '../../../text/record';
import { isVisible } from '../../../query/visibility';
import { plainText } from '../../../text/text';
import { isGoingOn } from '../../../diagnosis/sessionSummary';
import type { RunView } from '../../../runLog/runView';
import { isFileRun } from '../../../past/files/fileRuns';
import type { FileRuns } from '../../../past/files/fileRuns';
import type { RunLogChange } from '../../../runLog/runLogChange';
import type { Runs } from '../../../runs/runs';
import { RunViews } from '../../../runs/runs';
import type { Configuration, ConfigurationChange } from '../../services/configuration';
import type { Disposable } from '../../kit/disposables';
import { DisposableOwner, PerRun } from '../../kit/disposables';
import { viewId } from '../../manifest/names';
import type { LocalSessions } from '../../services/localSessions';
import type { McpServers } from '../../services/mcp/mcpServers';
import type { SessionsNow } from '../../services/now/sessionsNow';
import type { WatchedFiles } from '../../services/watchedFiles';
import { DrawnRows } from './drawnRows';
import { RefreshQueue } from './refreshQueue';
import { revealRow } from './revealRow';
import { RowDecorations } from './rowDecorations';
import type { RootRows } from './rows/rootRows';
import type { Row } from './rows/row';
import { UnseenBadge } from './unseenBadge';

/** How often elapsed times are redrawn, in milliseconds: while something is in progress, and otherwise. */
const elapsedInterval = 1000;
const relativeTimeInterval = 30_000;
/** How often to look for journals that taps and other windows write, in milliseconds. */
const tapInterval = 3000;
/** How often to look for agents that save their first session, in milliseconds. */
const newAgentInterval = 10_000;

/** The tree in the side panel: agents, their runs, the connection and the sessions of each, and the latest records. */
export class SessionTree extends DisposableOwner implements vscode.TreeDataProvider<Row> {
  private readonly changeEmitter = this.own(new vscode.EventEmitter<Row[] | undefined>());
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly queue = this.own(new RefreshQueue<Row>((rows) => this.redrawing(rows)));
  /** Loaded when VS Code first asks for rows; until then, there is nothing to redraw. */
  private rows: RootRows | undefined;
  /** Set once the first rows are prepared. */
  private isPrepared = false;
  private readonly drawn = new DrawnRows<Row>();
  private readonly view: vscode.TreeView<Row>;
  private readonly badge: UnseenBadge;
  private readonly decorations: RowDecorations;

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly watched: WatchedFiles,
    private readonly configuration: Configuration,
    private readonly local: LocalSessions,
    private readonly mcpServers: McpServers,
    private readonly sessionsNow: SessionsNow,
  ) {
    super();
    this.view = this.own(vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true }));
    this.badge = this.own(new UnseenBadge(this.view));
    this.decorations = this.own(new RowDecorations(runs, new RunViews(runs, fileRuns)));
    this.own(vscode.window.registerFileDecorationProvider(this.decorations));
    this.own(this.view.onDidChangeVisibility(() => this.onVisibility()));
    this.own(this.view.onDidExpandElement(({ element }) => this.unfolded(element, true)));
    this.own(this.view.onDidCollapseElement(({ element }) => this.unfolded(element, false)));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.queue.add(undefined)));
    this.own(configuration.onDidChange((change) => this.redrawSettings(change)));
    this.own(local.onDidFilter(() => this.rows?.saved.filterChanged()));
    this.own(mcpServers.onDidChange(() => this.redrawRuns()));
    this.own(sessionsNow.onDidChange(() => this.redrawNow()));
    for (const source of [runs, fileRuns]) {
      this.own(new PerRun<RunView>(source, (run) => this.follow(run)));
      this.own(source.onDidRemove((run) => this.forget(run)));
    }
    this.own(fileRuns.onDidChange(() => this.redrawRuns()));
    this.onVisibility();
    this.every(tapInterval, () => void this.fileRuns.refresh());
    this.every(elapsedInterval, () => this.redrawElapsed());
    this.every(relativeTimeInterval, () => this.redrawRelativeTimes());
    // What was found before stays.
    this.every(newAgentInterval, () => void this.rows?.saved.lookForNew().catch(() => undefined));
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.item();
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    await row.prepareTooltip();
    item.tooltip = plainText(row.tooltip());
    return item;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) {
      await row.load();
      const below = row.children();
      this.drawn.drewBelow(row, below);
      return [...below];
    }
    const rows = await this.load();
    await this.prepare(rows);
    const roots = rows.all();
    this.view.message =
      rows.isEmpty && roots.length > 0 && vscode.workspace.isTrusted
        ? vscode.l10n.t('Start an agent, or open a saved session.')
        : '';
    this.drawn.drew(roots);
    return [...roots];
  }

  getParent(row: Row): Row | undefined {
    return row.parent;
  }

  /** Expands the row of a run or of a session, if the view is visible. */
  async reveal(run: RunView, sessionId?: string): Promise<void> {
    if (!this.view.visible) return;
    const rows = await this.load();
    const row = sessionId === undefined ? rows.run(run).drawn : rows.run(run).show(sessionId).drawn;
    this.queue.flush();
    await revealRow(this.view, row, { expand: true, select: false, focus: false });
  }

  /** Selects the row of a record, if the view is visible and the record is among those shown. */
  async revealRecord(run: RunView, { seq, sessionId }: LogRecord): Promise<void> {
    if (!this.view.visible) return;
    const rows = (await this.load()).run(run).show(sessionId).children();
    const row = rows.find(({ target }) => target.record?.seq === seq);
    this.queue.flush();
    if (row) await revealRow(this.view, row, { select: true, focus: false });
  }

  override dispose(): void {
    this.rows?.saved.reset();
    super.dispose();
  }

  private async load(): Promise<RootRows> {
    const { RootRows } = await import('./rows/rootRows');
    const { runs, fileRuns, configuration, local, mcpServers, sessionsNow, queue } = this;
    this.rows ??= new RootRows({
      runs,
      fileRuns,
      isTrusted: () => vscode.workspace.isTrusted,
      agents: () => (vscode.workspace.isTrusted ? configuration.agents : { agents: [], problems: [], hints: [] }),
      showsActivity: () => configuration.showsActivity,
      prices: () => configuration.prices,
      saved: local,
      mcpServers,
      sessionsNow,
      installed: async () => {
        if (!vscode.workspace.isTrusted) return [];
        const { installedAgents } = await import('../../services/agents/agentSources');
        return (await installedAgents()).map(({ name }) => name);
      },
      now: Date.now,
      redraw: (row) => queue.add(row),
    });
    return this.rows;
  }

  private follow(run: RunView): readonly Disposable[] {
    this.redrawRuns();
    return [
      run.log.onDidChange((change) => this.redraw(run, change)),
      // An agent's row shows the state of its latest run.
      run.onDidChangeState(() => {
        this.add(isFileRun(run) ? this.rows?.run(run) : this.rows?.agent(run.name));
        this.decorations.changedIn(run);
      }),
      run.onDidChangeLevel(() => this.add(this.rows?.run(run).drawn)),
    ];
  }

  private unfolded(row: Row, isUnfolded: boolean): void {
    row.unfolded(isUnfolded);
    // Those above it leave out what it shows now.
    for (let one: Row | undefined = row; one; one = one.parent) this.queue.suspect(one);
  }

  private forget(run: RunView): void {
    this.rows?.forget(run);
    this.decorations.forget(run);
    this.redrawRuns();
  }

  private add(row: Row | undefined): void {
    if (row) this.queue.add(row);
  }

  /**
   * Only the first rows wait for this: from when the whole tree is redrawn until VS Code has the rows, it knows none, and the button
   * of a row calls its command without the row.
   */
  private async prepare(rows: RootRows): Promise<void> {
    if (this.isPrepared) this.prepareAgain(rows);
    else await rows.prepare();
    this.isPrepared = true;
  }

  /** What was found before stays. */
  private prepareAgain(rows: RootRows): void {
    rows
      .prepare()
      .then(() => this.redrawRuns())
      .catch(() => undefined);
  }

  /** VS Code asks for the rows soon. What changes until then isn't redrawn twice. */
  private redrawing(rows: Row[] | undefined): void {
    if (!rows && this.rows) this.drawn.drew(this.rows.all());
    this.changeEmitter.fire(rows);
  }

  private redrawSettings({ isOfAgents }: ConfigurationChange): void {
    if (!isOfAgents) return this.queue.add(undefined);
    this.redrawRuns();
    for (const row of this.rows?.all() ?? []) this.queue.suspect(row);
  }

  /** Runs were added or removed. */
  private redrawRuns(): void {
    if (!this.rows) return;
    for (const row of this.drawn.changed(this.rows.all()) ?? [undefined]) this.queue.add(row);
  }

  /** Sessions began to work or wait, or ended. */
  private redrawNow(): void {
    this.redrawRuns();
    this.redrawNowTimes();
  }

  private redrawNowTimes(): void {
    const { now } = this.rows ?? {};
    if (!now) return;
    for (const row of [now, ...now.children()]) this.queue.suspect(row);
  }

  private onVisibility(): void {
    this.rows?.saved.setVisible(this.view.visible);
    if (!this.view.visible) return;
    this.badge.clear();
    this.watched.begin();
    void this.fileRuns.refresh();
    // An agent may have saved its first session meanwhile.
    if (this.rows?.isEmpty === true) this.prepareAgain(this.rows);
  }

  private redraw(run: RunView, change: RunLogChange): void {
    this.countUnseen(run, change);
    this.decorations.changedIn(run);
    const row = this.rows?.run(run);
    if (!row) return;
    const { drawn } = row;
    if (change.sessionsAdded) this.queue.add(drawn);
    for (const sessionId of change.groups) this.queue.add(row.group(sessionId).drawn);
    // It shows the connection's activity, and while it is collapsed, the worst of all.
    this.queue.suspect(drawn);
  }

  private countUnseen(run: RunView, change: RunLogChange): void {
    if (this.view.visible || isFileRun(run)) return;
    const visibility = { level: run.level, activity: this.configuration.showsActivity };
    const isCounted = (record: { readonly level: Level; readonly kind: RecordKind }): boolean =>
      record.kind !== 'activity' && reaches(record.level, 'warning') && isVisible(record, visibility);
    const settled = change.settled.filter(({ level }) => isCounted({ level, kind: 'diagnosis' }));
    this.badge.add(
      run.id,
      change.after,
      change.newest(wantedCodes(isCounted), 0).older,
      settled.map(({ seq }) => seq),
    );
  }

  private redrawElapsed(): void {
    this.redrawNowTimes();
    const following = this.fileRuns.open.filter(({ state }) => state.type === 'following');
    for (const run of [...this.runs.all, ...following]) {
      const row = this.rows?.run(run);
      if (!row) return;
      this.queue.suspect(row.drawn);
      const waiting = new Set(run.log.requests.map(({ sessionId }) => sessionId));
      for (const request of [...waiting].flatMap((id) => row.group(id).openRequests())) this.queue.suspect(request);
      for (const { id, summary } of run.log.sessions) {
        if (summary && isGoingOn(summary.activity)) this.queue.suspect(row.group(id).drawn);
      }
    }
  }

  private redrawRelativeTimes(): void {
    this.rows?.saved.tick((row) => this.queue.suspect(row));
    for (const run of [...this.runs.all, ...this.fileRuns.open]) {
      const row = this.rows?.run(run);
      if (!row) return;
      for (const drawn of [row.drawn, ...row.children()]) this.queue.suspect(drawn);
    }
  }

  private every(ms: number, act: () => void): void {
    const timer = setInterval(() => {
      if (this.view.visible) act();
    }, ms);
    this.own({ dispose: () => clearInterval(timer) });
  }
}
