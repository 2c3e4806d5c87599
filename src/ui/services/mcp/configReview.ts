import { basename } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../text/translator';
import { HumanError } from '../../../text/humanError';
import type { ConfigChange } from '../../../mcpServers/configChange';
import { DisposableOwner } from '../../kit/disposables';

const scheme = 'agent-logs-config';

/** Changes of settings files in VS Code's diff editor, as read-only documents. They close when this is disposed of. */
export class ConfigReview extends DisposableOwner {
  private readonly texts = new Map<string, string>();

  constructor(private readonly changes: readonly ConfigChange[]) {
    super();
    const provideTextDocumentContent = ({ path, query }: vscode.Uri): string =>
      this.texts.get(keyOf(path, query)) ?? '';
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));
  }

  /** The first change is in front. */
  async show(): Promise<void> {
    for (const change of [...this.changes].reverse()) {
      const [left, right] = await Promise.all([this.document(change, 'before'), this.document(change, 'after')]);
      const title = vscode.l10n.t('{0}: Review Change', basename(change.file));
      await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
    }
  }

  /** @throws HumanError if one of the files has changes in an editor that aren't saved */
  checkSaved(): void {
    const files = new Set(this.changes.map(({ file }) => vscode.Uri.file(file).toString()));
    const dirty = vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && files.has(uri.toString()));
    if (dirty) throw new HumanError(t('{0} has unsaved changes. Save it, then try again.', dirty.uri.fsPath));
  }

  override dispose(): void {
    super.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff &&
        input.modified.scheme === scheme &&
        this.texts.has(keyOf(input.modified.path, input.modified.query)),
    );
    if (shown.length > 0) void vscode.window.tabGroups.close(shown, true);
  }

  private async document({ file, ...texts }: ConfigChange, side: 'before' | 'after'): Promise<vscode.Uri> {
    const uri = vscode.Uri.file(file).with({ scheme, query: side });
    this.texts.set(keyOf(uri.path, uri.query), texts[side]);
    const document = await vscode.workspace.openTextDocument(uri);
    // Most clients allow comments.
    if (document.languageId === 'json') await vscode.languages.setTextDocumentLanguage(document, 'jsonc');
    return uri;
  }
}

function keyOf(path: string, query: string): string {
  return `${query} ${path}`;
}
