import * as vscode from 'vscode';
import { DisposableOwner } from '../disposables';
import { labelText } from '../notify';
import type { PermissionText } from './permissionText';

const scheme = 'agent-logs-permission';

/** The whole permission request as a read-only document, which closes when the request is answered. */
export class PermissionDocument extends DisposableOwner {
  private readonly uri: vscode.Uri;
  private shown = false;

  constructor(
    agent: string,
    private readonly text: PermissionText,
  ) {
    super();
    const name = labelText(agent, 40).replace(/[^\p{L}\p{N} ._-]/gu, '');
    this.uri = vscode.Uri.from({ scheme, path: `/${name} permission ${Date.now()}.agentlog.json` });
  }

  get isShown(): boolean {
    return this.shown;
  }

  /** Shows the document behind the picker, if the request can be serialized. */
  async show(): Promise<void> {
    const content = this.text.document;
    if (!content) return;
    if (!this.shown) {
      this.own(
        vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => content() }),
      );
    }
    const document = await vscode.workspace.openTextDocument(this.uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    this.shown = true;
  }

  override dispose(): void {
    super.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === this.uri.toString(),
    );
    if (own.length > 0) void vscode.window.tabGroups.close(own, true);
  }
}
