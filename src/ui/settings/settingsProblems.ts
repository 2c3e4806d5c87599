import * as vscode from 'vscode';
import { Disposables } from '../disposables';
import { settingsPathOf } from './settingsPath';

const schemes: ReadonlySet<string> = new Set(['file', 'vscode-userdata', 'vscode-remote']);

/** Marks what is wrong in `agentLogs.agents` in the files of settings that are open. Nothing else is read. */
export class SettingsProblems {
  private readonly disposables = new Disposables();
  private readonly diagnostics = this.disposables.add(vscode.languages.createDiagnosticCollection('agentLogs'));

  constructor() {
    this.disposables.add(vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)));
    this.disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => void this.check(document)));
    this.disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.diagnostics.delete(uri)));
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    // Not what a version control system shows of older ones.
    const path = schemes.has(document.uri.scheme) ? settingsPathOf(document.uri.path) : undefined;
    if (!path) return;
    const { mistakesIn } = await import('./settingsMistakes');
    if (document.isClosed) return;
    this.diagnostics.set(
      document.uri,
      mistakesIn(document.getText(), path).map(({ offset, length, message }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
        diagnostic.source = 'Agent Logs';
        return diagnostic;
      }),
    );
  }
}
