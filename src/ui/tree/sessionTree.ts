import * as vscode from 'vscode';
import { wantedCodes } from '../../log/query/compiledQuery';
import { rankOf } from '../../log/level';
import type { LogRecord } from '../../log/record';
import { isVisible } from '../../log/query/visibility';
import { isGoingOn } from '../../diagnosis/sessionSummary';
import type { RunView } from '../../runs/runView';
import { FileRun } from '../../runs/files/fileRun';
import type { FileRuns } from '../../runs/files/fileRuns';
import type { RunLogChange } from '../../runs/runLogChange';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import { viewId } from '../ids';
import type { WatchedFiles } from '../watchedFiles';
import { PerRun } from '../perRun';
import { DrawnRows } from './drawnRows';
import { RefreshQueue } from './refreshQueue';
import { revealRow } from './revealRow';
import type { TreeItems } from './treeItems';
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
  private readonly queue = this.disposables.add(
    new RefreshQueue(
      (nodes) => this.refresh(nodes),
      (node) => this.isStale(node),
    ),
  );
  private readonly model: TreeModel;
  private readonly drawn: DrawnRows;
  private items: TreeItems | undefined;
  /** What the rows of runs, of the connections and of sessions said when they were drawn. */
  private readonly said = new WeakMap<TreeNode, string>();
  private readonly view: vscode.TreeView<TreeNode>;
  private unseen = 0;
  /** How rows are drawn: loaded when the first is. */
  private readonly loadItems: () => Promise<TreeItems>;

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly watched: WatchedFiles,
    private readonly configuration: Configuration,
  ) {
    const agentNames = (): readonly string[] => configuration.agents.agents.map(({ name }) => name);
    this.loadItems = async () => {
      const { TreeItems } = await import('./treeItems');
      return (this.items ??= new TreeItems(
        runs,
        fileRuns,
        Date.now,
        (name) => agentNames().includes(name),
        (name) => configuration.agents.hints.find(({ agent }) => agent === name),
      ));
    };
    this.model = new TreeModel(runs, fileRuns, {
      agentNames,
      // An untrusted workspace has a word of its own in the view, and nothing of it is started.
      mistakes: () => (vscode.workspace.isTrusted ? configuration.agents.problems : []),
      showsActivity: () => configuration.showsActivity,
    });
    this.drawn = new DrawnRows(this.model);
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
    this.every(relativeTimeInterval, () => this.redrawAges());
  }

  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    const item = (this.items ?? (await this.loadItems())).of(node);
    if (node.type === 'run' || node.type === 'group') this.said.set(node, textOf(item));
    return item;
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

  /** What stands in a row that was drawn. */
  textOf(node: TreeNode): string {
    return this.items ? textOf(this.items.of(node)) : '';
  }

  /** Shows twice as many of a session's records. */
  loadOlder(group: GroupNode): void {
    this.model.unfold(group);
    this.queue.add(group);
  }

  /** Unfolds a run's row, or a session's, where the tree is shown. */
  async reveal(run: RunView, sessionId?: string): Promise<void> {
    if (!this.view.visible) return;
    const node = sessionId === undefined ? this.model.run(run) : this.model.group(run, sessionId);
    await revealRow(this.view, node, { expand: true, select: false, focus: false });
  }

  /** Selects a record's row, where the tree is shown and the row is on its session's page. */
  async revealRecord(run: RunView, record: LogRecord): Promise<void> {
    if (!this.view.visible) return;
    const row = this.model
      .children(this.model.group(run, record.sessionId))
      .find((node) => node.type === 'record' && node.record.seq === record.seq);
    if (row) await revealRow(this.view, row, { select: true, focus: false });
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

  /** Whether a row was drawn, and would say something else now. */
  private isStale(node: TreeNode): boolean {
    const said = this.said.get(node);
    return said !== undefined && said !== this.textOf(node);
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
    if (change.groups.has(undefined)) this.queue.suspect(this.model.run(run)); // its row tells of the connection
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

  /** What goes on may last longer than when it was drawn. */
  private redrawWaiting(): void {
    for (const run of [...this.runs.all, ...this.following]) {
      this.queue.suspect(this.model.run(run));
      for (const { sessionId } of run.log.requests) this.queue.add(this.model.group(run, sessionId));
      for (const { id, summary } of run.log.sessions) {
        if (summary && isGoingOn(summary.activity)) this.queue.suspect(this.model.group(run, id));
      }
    }
  }

  /** How long ago something was. */
  private redrawAges(): void {
    for (const run of [...this.runs.all, ...this.fileRuns.open]) {
      this.queue.suspect(this.model.run(run));
      this.queue.suspect(this.model.group(run, undefined));
      for (const { id } of run.log.sessions) this.queue.suspect(this.model.group(run, id));
    }
  }

  private get following(): readonly FileRun[] {
    return this.fileRuns.open.filter(({ state }) => state.type === 'following');
  }

  private every(ms: number, redraw: () => void): void {
    const timer = setInterval(() => {
      if (this.view.visible) redraw();
    }, ms);
    this.disposables.add({ dispose: () => clearInterval(timer) });
  }
}

function textOf({ label, description }: vscode.TreeItem): string {
  return [label, description].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(' · ');
}
