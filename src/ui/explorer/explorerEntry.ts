import * as vscode from 'vscode';
import { Disposables } from '../disposables';
import { editorViewType, explorerViewType } from '../ids';
import type { Explorers, ExplorerServices } from './explorers';

/** Registers the explorer with VS Code; its code is loaded when the first one is opened. */
export class ExplorerEntry {
  private readonly disposables = new Disposables();
  private loading: Promise<Explorers> | undefined;

  constructor(private readonly services: ExplorerServices) {
    const { disposables } = this;
    disposables.add(
      vscode.window.registerWebviewPanelSerializer(explorerViewType, {
        deserializeWebviewPanel: async (panel, state: unknown) => (await this.load()).restore(panel, state),
      }),
    );
    disposables.add(
      vscode.window.registerCustomEditorProvider(
        editorViewType,
        {
          openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
          resolveCustomEditor: async ({ uri }, panel) => (await this.load()).openFile(panel, uri),
        },
        { supportsMultipleEditorsPerDocument: true },
      ),
    );
  }

  load(): Promise<Explorers> {
    // The files may be missing right after an update of the extension: allow another attempt.
    this.loading ??= import('./explorers').then(
      ({ Explorers }) => this.disposables.add(new Explorers(this.services)),
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
