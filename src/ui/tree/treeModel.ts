import type { LogRecord } from '../../log/record';
import { wantedBetween, wantedCodes } from '../../log/query/compiledQuery';
import { isVisible } from '../../log/query/visibility';
import type { DefinitionProblem } from '../../runs/config/agentDefinition';
import type { RunView } from '../../runs/runView';
import { FileRun } from '../../runs/files/fileRun';
import type { FileRuns } from '../../runs/files/fileRuns';
import type { Runs } from '../../runs/runs';
import type { GroupNode, TreeNode } from './treeNode';
import { agentNodeId, groupNodeId, runNodeId } from './treeNode';

/** How many records a session shows at first; twice as many each time. */
export const pageSize = 50;

/** How many past runs stand in the tree; a picker has the others. */
const maxPastRuns = 20;

export interface TreeSettings {
  /** The agents that can be started, whether they ran or not. */
  readonly agentNames: () => readonly string[];
  /** Why others cannot be. */
  readonly mistakes: () => readonly DefinitionProblem[];
  readonly showsActivity: () => boolean;
}

/** The rows of the tree, computed from the runs: it holds nothing but how far each session has been unfolded. */
export class TreeModel {
  /** VS Code refreshes a row by the object that it was given for it. */
  private readonly nodes = new Map<string, TreeNode>();
  /** How many pages each session shows that shows more than one. */
  private readonly pages = new Map<string, number>();

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly settings: TreeSettings,
  ) {}

  /** Agents, and the past; nothing before the first run, so that the view can say how to begin, but for what is wrong in the settings. */
  roots(): readonly TreeNode[] {
    const hasPast = this.pastOnes().length > 0;
    // Two folders may have the same one.
    const mistakes = new Set(this.settings.mistakes().map((problem) => this.mistake(problem)));
    if (this.runs.all.length === 0 && this.files().length === 0 && !hasPast && mistakes.size === 0) return [];
    // Those of the settings have their places, so that no row moves under the mouse when one is started.
    const names = new Set([
      ...this.settings.agentNames(),
      ...this.runs.all.map((run) => run.name),
      ...this.files().map((run) => run.name),
    ]);
    return [...[...names].map((name) => this.agent(name)), ...mistakes, ...(hasPast ? [this.past()] : [])];
  }

  children(node: TreeNode): readonly TreeNode[] {
    switch (node.type) {
      case 'agent':
        return [...this.runs.all, ...this.files()].filter((run) => run.name === node.name).map((run) => this.run(run));
      case 'run':
        return [undefined, ...node.run.log.sessions.map(({ id }) => id)].map((sessionId) =>
          this.group(node.run, sessionId),
        );
      case 'past':
        return this.pastRows();
      case 'group':
        return this.rowsOf(node);
      case 'mistake':
      case 'request':
      case 'record':
      case 'morePast':
      case 'older':
        return [];
    }
  }

  parent(node: TreeNode): TreeNode | undefined {
    switch (node.type) {
      case 'agent':
      case 'mistake':
      case 'past':
        return undefined;
      case 'morePast':
        return this.past();
      case 'run':
        return this.isPast(node.run) ? this.past() : this.agent(node.run.name);
      case 'group':
        return this.run(node.run);
      case 'request':
        return this.group(node.run, node.request.sessionId);
      case 'record':
        return this.group(node.run, node.record.sessionId);
      case 'older':
        return node.group;
    }
  }

  agent(name: string): TreeNode {
    return this.cached({ type: 'agent', id: agentNodeId(name), name });
  }

  past(): TreeNode {
    return this.cached({ type: 'past', id: 'past' });
  }

  run(run: RunView): TreeNode {
    const node = this.cached({ type: 'run', id: runNodeId(run), run });
    if (node.run === run) return node;
    // The file was looked at anew, and is another object now.
    this.forget(node.run);
    return this.cached({ type: 'run', id: runNodeId(run), run });
  }

  group(run: RunView, sessionId: string | undefined): GroupNode {
    return this.cached({ type: 'group', id: groupNodeId(run, sessionId), run, sessionId });
  }

  /** Shows twice as many of a session's records. */
  unfold(group: GroupNode): void {
    this.pages.set(group.id, (this.pages.get(group.id) ?? 1) * 2);
  }

  /** Lets go of a run's rows. */
  forget(run: RunView): void {
    for (const [id, node] of this.nodes) {
      if (!('run' in node) || node.run !== run) continue;
      this.nodes.delete(id);
      this.pages.delete(id);
    }
  }

  private mistake(problem: DefinitionProblem): TreeNode {
    return this.cached({ type: 'mistake', id: `mistake:${problem.message}`, problem });
  }

  private isPast(run: RunView): boolean {
    return run instanceof FileRun && !this.files().includes(run);
  }

  /** What is read from files that something else writes, or that a person opened. */
  private files(): readonly FileRun[] {
    return this.fileRuns.open.filter(({ info }) => info.origin !== 'past');
  }

  /** Those that were opened, and those in the folder that are no runs of this window. */
  private pastOnes(): readonly FileRun[] {
    const own = new Set(this.runs.all.flatMap(({ journal }) => journal?.paths ?? []));
    const { open } = this.fileRuns;
    const listed = this.fileRuns.listed
      .filter(({ journal }) => !journal.paths.some((path) => own.has(path)))
      .map((run) => open.find(({ id }) => id === run.id) ?? run)
      .filter((run) => !this.files().includes(run)); // it stands there
    const elsewhere = open.filter((run) => run.info.origin === 'past' && !listed.includes(run));
    return [...elsewhere, ...listed];
  }

  private pastRows(): TreeNode[] {
    const runs = this.pastOnes();
    const isOpen = (run: FileRun): boolean => this.fileRuns.open.includes(run);
    // One that a person opened has its row, however old it is.
    const closed = new Set(runs.filter((run) => !isOpen(run)).slice(0, maxPastRuns));
    const rows = runs.filter((run) => isOpen(run) || closed.has(run)).map((run) => this.run(run));
    const count = runs.length - rows.length;
    return count === 0 ? rows : [...rows, this.cached({ type: 'morePast', id: `morePast:${count}`, count })];
  }

  /** Open requests, then the newest records, then the way to older ones. */
  private rowsOf(group: GroupNode): TreeNode[] {
    const { run, sessionId } = group;
    const requests = run.log.requests
      .filter((request) => request.sessionId === sessionId)
      .map((request): TreeNode => ({
        type: 'request',
        id: `request:${run.id}:${request.direction}:${typeof request.id}:${request.id}`,
        run,
        request,
      }));
    const visibility = { level: run.level, activity: this.settings.showsActivity() };
    const limit = pageSize * (this.pages.get(group.id) ?? 1);
    const wanted = wantedCodes((record) => isVisible(record, visibility));
    const page = run.log.store.newest(sessionId, limit, wantedBetween(wanted, 0, Infinity));
    const records = page.records.map((record: LogRecord): TreeNode => ({
      type: 'record',
      id: `record:${run.id}:${record.seq}`,
      run,
      record,
    }));
    const older: TreeNode[] =
      page.older > 0 ? [{ type: 'older', id: `older:${group.id}`, group, count: page.older }] : [];
    return [...requests, ...records, ...older];
  }

  private cached<T extends TreeNode>(node: T): T {
    const known = this.nodes.get(node.id);
    if (known) return known as T;
    this.nodes.set(node.id, node);
    return node;
  }
}
