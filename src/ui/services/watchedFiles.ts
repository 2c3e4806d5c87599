import * as vscode from 'vscode';
import type { FileRuns } from '../../past/files/fileRuns';
import type { Configuration } from './configuration';
import { DisposableOwner, Disposables } from '../kit/disposables';

/** How many existing files to show when watching starts: the newest. */
const maxFirst = 10;
const maxFound = 200;

/** Shows files that match `agentLogs.watch` as runs, existing and new ones. Starts when the view is first shown. */
export class WatchedFiles extends DisposableOwner {
  private watching = new Disposables();
  private begun = false;
  /** The globs being watched, by folder. */
  private watched: string | undefined;
  /** Opens one file at a time, because a build may write thousands at once. */
  private showing: Promise<void> = Promise.resolve();

  constructor(
    private readonly fileRuns: FileRuns,
    private readonly configuration: Configuration,
  ) {
    super();
    this.own(configuration.onDidChange(() => this.update()));
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.update()));
  }

  /** Call this when the view is shown. */
  begin(): void {
    this.begun = true;
    this.update();
  }

  override dispose(): void {
    this.watching.dispose();
    super.dispose();
  }

  /** Restarts only if the globs changed, so that files the user closed stay closed. */
  private update(): void {
    if (!this.begun) return;
    const wanted = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
      folder,
      globs: this.configuration.watchIn(folder),
    }));
    const watched = JSON.stringify(wanted.map(({ folder, globs }) => [folder.uri.toString(), globs]));
    if (watched === this.watched) return;
    this.watched = watched;
    this.watching.dispose();
    this.watching = new Disposables();
    for (const { folder, globs } of wanted) {
      for (const glob of globs) this.watch(new vscode.RelativePattern(folder, glob));
    }
  }

  private watch(pattern: vscode.RelativePattern): void {
    const { watching } = this;
    const watcher = watching.add(vscode.workspace.createFileSystemWatcher(pattern));
    watching.add(watcher.onDidCreate((uri) => this.show(uri)));
    void this.showNewest(pattern, watching).catch(() => undefined); // An invalid glob, or the window is closing.
  }

  /** @param watching the watchers this belongs to; if they were replaced, the result is dropped */
  private async showNewest(pattern: vscode.RelativePattern, watching: Disposables): Promise<void> {
    // Include files that are excluded from search, as log folders often are.
    const found = await vscode.workspace.findFiles(pattern, null, maxFound);
    const files = await Promise.all(
      found.map(async (uri) => {
        const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined); // It was deleted.
        return stat ? [{ uri, at: stat.mtime }] : [];
      }),
    );
    if (watching !== this.watching) return;
    const newest = files
      .flat()
      .sort((a, b) => b.at - a.at)
      .slice(0, maxFirst);
    for (const { uri } of newest.reverse()) this.show(uri);
  }

  private show(uri: vscode.Uri): void {
    if (uri.scheme === 'file') this.showing = this.showing.then(() => this.open(uri));
  }

  private async open(uri: vscode.Uri): Promise<void> {
    try {
      await this.fileRuns.show(await this.fileRuns.at(uri.fsPath, 'watched'));
    } catch {
      // It was deleted.
    }
  }
}
