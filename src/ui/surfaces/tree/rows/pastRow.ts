import * as vscode from 'vscode';
import type { FileRun } from '../../../../past/files/fileRun';
import type { RunView } from '../../../../runLog/runView';
import { commandIds } from '../../../manifest/commands';
import { accessibleLabel } from '../format';
import { MoreRow } from './moreRow';
import { Row } from './row';
import type { RowSources } from './rowSources';
import { openFiles } from './rowSources';

/** How many past runs to show that aren't open; the others are in the picker of *Open Past Run…*. */
const maxClosed = 20;

/** The runs whose journals are on disk. */
export class PastRow extends Row {
  static readonly context = 'past openPastRun';
  readonly id = 'past';
  readonly parent = undefined;
  private more: MoreRow | undefined;

  constructor(
    private readonly sources: RowSources,
    private readonly rowOf: (run: RunView) => Row,
  ) {
    super();
  }

  /** Those that are open, and those in the folder that aren't a run of this window. */
  runs(): readonly FileRun[] {
    const { runs, fileRuns } = this.sources;
    const own = new Set(runs.all.flatMap(({ journal }) => journal?.paths ?? []));
    const elsewhere = openFiles(this.sources);
    const listed = fileRuns.listed
      .filter(({ journal }) => !journal.paths.some((path) => own.has(path)))
      .map((run) => fileRuns.open.find(({ id }) => id === run.id) ?? run)
      .filter((run) => !elsewhere.includes(run));
    const unlisted = fileRuns.open.filter((run) => run.info.origin === 'past' && !listed.includes(run));
    return [...unlisted, ...listed];
  }

  /** Finds out why they ended, which they show first. */
  override async load(): Promise<void> {
    await Promise.all(
      this.runs()
        .slice(0, maxClosed)
        .map((run) => run.findCause()),
    );
  }

  override children(): readonly Row[] {
    const { open } = this.sources.fileRuns;
    const runs = this.runs();
    // However old an open run is, it has a row.
    const closed = new Set(runs.filter((run) => !open.includes(run)).slice(0, maxClosed));
    const rows = runs.filter((run) => open.includes(run) || closed.has(run)).map(this.rowOf);
    const count = runs.length - rows.length;
    if (count === 0) return rows;
    const id = `morePast:${count}`;
    if (this.more?.id !== id) {
      this.more = new MoreRow(this, id, {
        icon: 'fold-down',
        title: vscode.l10n.t('Open Past Run…'),
        count,
        show: () => vscode.commands.executeCommand(commandIds.openPastRun),
      });
    }
    return [...rows, this.more];
  }

  override tooltip(): string {
    return vscode.l10n.t('Runs saved to journals on disk');
  }

  protected draw(): vscode.TreeItem {
    const label = vscode.l10n.t('Past Runs');
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('history');
    item.contextValue = PastRow.context;
    item.accessibilityInformation = accessibleLabel(label, this.tooltip());
    return item;
  }
}
