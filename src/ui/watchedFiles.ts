import * as vscode from 'vscode';
import type { FileRuns } from '../runs/files/fileRuns';
import type { Configuration } from './configuration';
import { Disposables } from './disposables';

/** How many of the files that are there when watching begins are shown: the newest. */
const maxFirst = 10;
const maxFound = 200;

/** Shows the files that `agentLogs.watch` names as runs, and new ones as they appear. Nothing is looked for before the view is shown. */
export class WatchedFiles {
  private readonly disposables = new Disposables();
  private watching = new Disposables();
  private begun = false;
  /** The globs of each folder, as they are watched. */
  private watched: string | undefined;
  /** One file after the other: a build may write thousands at once. */
  private showing: Promise<void> = Promise.resolve();

  constructor(
    private readonly fileRuns: FileRuns,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(configuration.onDidChange(() => this.update()));
    this.disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.update()));
  }

  /** The view is shown for the first time. */
  begin(): void {
    this.begun = true;
    this.update();
  }

  dispose(): void {
    this.watching.dispose();
    this.disposables.dispose();
  }

  /** Begins anew where other files are to be watched: whoever let go of one does not want it back. */
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
    void this.showNewest(pattern, watching).catch(() => undefined); // no glob, or the window closes
  }

  /** @param watching what these files are watched by, unless others are watched by now */
  private async showNewest(pattern: vscode.RelativePattern, watching: Disposables): Promise<void> {
    // Log folders are mostly excluded from search: they are looked into all the same.
    const found = await vscode.workspace.findFiles(pattern, null, maxFound);
    const files = await Promise.all(
      found.map(async (uri) => {
        const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined); // gone again
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
      // gone again
    }
  }
}
