import * as vscode from 'vscode';
import { wantedCodes } from '../../log/compiledQuery';
import { rankOf } from '../../log/level';
import type { LogRecord } from '../../log/record';
import { isVisible } from '../../log/visibility';
import type { RunView } from '../../runs/runView';
import { FileRun } from '../../runs/fileRun';
import type { FileRuns } from '../../runs/fileRuns';
import type { RunLogChange } from '../../runs/runLogChange';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { viewId } from '../ids';
import type { WatchedFiles } from '../watchedFiles';
import { PerRun } from '../perRun';
import { DrawnRows } from './drawnRows';
import { RefreshQueue } from './refreshQueue';
import { TreeItems } from './treeItems';
import { TreeModel } from './treeModel';
import type { GroupNode, TreeNode } from './treeNode';

/** How often elapsed times are redrawn, in milliseconds: while something is waited for, and otherwise. */
const elapsedInterval = 1000;
const relativeTimeInterval = 30_000;
/** How often it is looked for journals that taps and other windows write, in milliseconds. */
const tapInterval = 3000;

/** The tree in the side panel: agents, their runs, the connection and the sessions of each, and the latest records. */
export class SessionTree implements vscode.TreeDataProvider<TreeNode> {
  private readonly disposables = new Disposables();
  private readonly changeEmitter = this.disposables.add(new vscode.EventEmitter<TreeNode[] | undefined>());
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly queue = this.disposables.add(new RefreshQueue((nodes) => this.refresh(nodes)));
  private readonly model: TreeModel;
  private readonly drawn: DrawnRows;
  private readonly items: TreeItems;
  private readonly view: vscode.TreeView<TreeNode>;
  private unseen = 0;

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly watched: WatchedFiles,
    private readonly configuration: Configuration,
  ) {
    const now = Date.now;
    const agentNames = (): readonly string[] => configuration.agents.agents.map(({ name }) => name);
    this.model = new TreeModel(runs, fileRuns, {
      agentNames,
      showsActivity: () => configuration.showsActivity,
    });
    this.drawn = new DrawnRows(this.model);
    this.items = new TreeItems(runs, fileRuns, now, (name) => agentNames().includes(name));
    this.view = this.disposables.add(
      vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.disposables.add(
      this.view.onDidChangeVisibility(() => {
        this.markSeen();
        this.lookForPast();
      }),
    );
    this.disposables.add(configuration.onDidChange(() => this.queue.add(undefined)));
    this.disposables.add(new PerRun(runs, (run, disposables) => this.follow(run, disposables)));
    this.disposables.add(new PerRun(fileRuns, (run, disposables) => this.followPast(run, disposables)));
    this.disposables.add(runs.onDidRemove((run) => this.forget(run)));
    this.disposables.add(fileRuns.onDidRemove((run) => this.forget(run)));
    this.disposables.add(fileRuns.onDidChange(() => this.redrawRuns()));
    this.lookForPast();
    this.every(tapInterval, () => void this.fileRuns.refresh());
    this.every(elapsedInterval, () => this.redrawWaiting());
    this.every(relativeTimeInterval, () => this.redrawLive());
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return this.items.of(node);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    // Whoever unfolds a past run wants it read; the rest comes as it is read.
    if (node?.type === 'run' && node.run instanceof FileRun && node.run.state.type === 'unread') {
      await this.fileRuns.show(node.run);
    }
    if (node) return [...this.model.children(node)];
    const roots = this.model.roots();
    this.drawn.drew(roots);
    return [...roots];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.model.parent(node);
  }

  /** What stands in a row. */
  textOf(node: TreeNode): string {
    const { label, description } = this.items.of(node);
    return [label, description].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(' · ');
  }

  /** Shows one page more of a session's records. */
  loadOlder(group: GroupNode): void {
    this.model.unfold(group);
    this.queue.add(group);
  }

  /** Unfolds a run's row, or a session's, where the tree is shown. */
  async reveal(run: RunView, sessionId?: string): Promise<void> {
    if (!this.view.visible) return;
    const node = sessionId === undefined ? this.model.run(run) : this.model.group(run, sessionId);
    // A row that cannot be shown right now is no reason for what led here to fail.
    await Promise.resolve(this.view.reveal(node, { expand: true, select: false, focus: false })).catch(() => undefined);
  }

  /** Selects a record's row, where the tree is shown and the row is on its session's page. */
  async revealRecord(run: RunView, record: LogRecord): Promise<void> {
    if (!this.view.visible) return;
    const row = this.model
      .children(this.model.group(run, record.sessionId))
      .find((node) => node.type === 'record' && node.record.seq === record.seq);
    if (row) await this.view.reveal(row, { select: true, focus: false });
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private follow(run: RunView, disposables: Disposables): void {
    this.redrawRuns();
    disposables.add(run.log.onDidChange((change) => this.redraw(run, change)));
    disposables.add(
      run.onDidChangeState(() => {
        this.queue.add(this.model.agent(run.name));
      }),
    );
    disposables.add(
      run.onDidChangeLevel(() => {
        this.queue.add(this.model.run(run));
      }),
    );
  }

  private followPast(run: FileRun, disposables: Disposables): void {
    disposables.add(run.log.onDidChange((change) => this.redraw(run, change)));
    disposables.add(run.onDidChangeState(() => this.queue.add(this.model.run(run))));
    disposables.add(run.onDidChangeLevel(() => this.queue.add(this.model.run(run))));
  }

  private forget(run: RunView): void {
    this.model.forget(run);
    this.redrawRuns();
  }

  /** Runs came or went. */
  private redrawRuns(): void {
    for (const node of this.drawn.changed() ?? [undefined]) this.queue.add(node);
  }

  /** What the folder of the journals has, once the view is shown. */
  private lookForPast(): void {
    if (!this.view.visible) return;
    this.watched.begin();
    void this.fileRuns.refresh();
  }

  private redraw(run: RunView, change: RunLogChange): void {
    if (change.sessionsAdded) this.queue.add(this.model.run(run));
    for (const sessionId of change.groups) this.queue.add(this.model.group(run, sessionId));
    this.countUnseen(run, change);
  }

  /** The badge: warnings and worse that came while nobody looked. */
  private countUnseen(run: RunView, change: RunLogChange): void {
    if (this.view.visible || run instanceof FileRun) return;
    const visibility = { level: run.level, activity: this.configuration.showsActivity };
    const wanted = wantedCodes((record) => rankOf(record.level) >= rankOf('warning') && isVisible(record, visibility));
    this.unseen += change.newest(wanted, 0).older;
  }

  private refresh(nodes: TreeNode[] | undefined): void {
    this.changeEmitter.fire(nodes);
    if (this.unseen === 0 || this.view.badge?.value === this.unseen) return;
    const tooltip =
      this.unseen === 1
        ? vscode.l10n.t('1 new warning or error')
        : vscode.l10n.t('{0} new warnings or errors', this.unseen);
    this.view.badge = { value: this.unseen, tooltip };
  }

  private markSeen(): void {
    if (!this.view.visible || this.unseen === 0) return;
    this.unseen = 0;
    this.view.badge = undefined;
  }

  private redrawWaiting(): void {
    for (const run of this.fileRuns.open) if (run.state.type === 'following') this.queue.add(this.model.run(run));
    for (const run of this.runs.all) {
      for (const { sessionId } of run.log.requests) this.queue.add(this.model.group(run, sessionId));
    }
  }

  private redrawLive(): void {
    for (const run of this.runs.all) if (run.state.type !== 'ended') this.queue.add(this.model.run(run));
  }

  private every(ms: number, redraw: () => void): void {
    const timer = setInterval(() => {
      if (this.view.visible) redraw();
    }, ms);
    this.disposables.add({ dispose: () => clearInterval(timer) });
  }
}
