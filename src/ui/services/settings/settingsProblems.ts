import * as vscode from 'vscode';
import type { Configuration } from '../configuration';
import { DisposableOwner } from '../../kit/disposables';
import { showWarning } from '../../kit/notify';
import { translate } from '../../kit/translate';
import type { LogLink } from '../../kit/notify';
import { settingsPathOf } from '../../../runs/settingsPath';
import { executeCommand, openSettingCommand } from './openSettingCommand';

const schemes: ReadonlySet<string> = new Set(['file', 'vscode-userdata', 'vscode-remote']);

/** Marks mistakes in `agentLogs.agents`, `agentLogs.redaction.patterns` and `agentLogs.alerts` in open settings files. */
export class SettingsProblems extends DisposableOwner {
  private readonly diagnostics = this.own(vscode.languages.createDiagnosticCollection('agentLogs'));

  /** The mistakes in patterns that a warning was shown for. */
  private warned: readonly string[] = [];

  constructor(
    private readonly configuration: Configuration,
    private readonly log: LogLink & { warn(message: string): void; error(error: unknown): void },
  ) {
    super();
    this.own(configuration.onDidChange(() => this.checkAgain()));
    this.own(configuration.onDidDisablePattern(() => this.checkAgain()));
    void this.warnOfPatterns();
    this.own(vscode.workspace.onDidOpenTextDocument((document) => this.look(document)));
    this.own(vscode.workspace.onDidChangeTextDocument(({ document }) => this.look(document)));
    this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.diagnostics.delete(uri)));
    for (const document of vscode.workspace.textDocuments) this.look(document);
  }

  /** Checks again, because a pattern was disabled or enabled. */
  private checkAgain(): void {
    void this.warnOfPatterns();
    for (const document of vscode.workspace.textDocuments) this.look(document);
  }

  /** Warns even if the settings aren't open, because users rely on their patterns. */
  private async warnOfPatterns(): Promise<void> {
    const mistakes = this.configuration.redaction ? this.configuration.redactionMistakes : [];
    const fresh = mistakes.filter((mistake) => !this.warned.includes(mistake));
    this.warned = mistakes;
    for (const mistake of fresh) this.log.warn(mistake);
    if (fresh[0] === undefined) return;
    const open = vscode.l10n.t('Open Setting');
    if ((await showWarning(fresh[0], this.log, open)) !== open) return;
    await executeCommand(openSettingCommand('redaction.patterns'));
  }

  private look(document: vscode.TextDocument): void {
    this.check(document).catch((error: unknown) => this.log.error(error));
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    // Not older versions that source control shows.
    const path = schemes.has(document.uri.scheme) ? settingsPathOf(document.uri.path) : undefined;
    if (!path) return;
    const { mistakesIn } = await import('../../../runs/settingsMistakes');
    if (document.isClosed) return;
    this.diagnostics.set(
      document.uri,
      mistakesIn(document.getText(), path, this.configuration.disabledPatterns).map(({ offset, length, message }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const diagnostic = new vscode.Diagnostic(range, translate(message), vscode.DiagnosticSeverity.Warning);
        diagnostic.source = 'Agent Logs';
        return diagnostic;
      }),
    );
  }
}
