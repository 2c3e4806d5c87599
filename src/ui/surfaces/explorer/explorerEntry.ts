import * as vscode from 'vscode';
import { lazy } from '../../../text/lazy';
import type { RunView } from '../../../runLog/runView';
import { Disposables } from '../../kit/disposables';
import { editorViewType, explorerViewType } from '../../manifest/names';
import type { Explorers, ExplorerServices } from './explorers';

/** Registers the explorer with VS Code; its code is loaded when the first one is opened. */
export class ExplorerEntry {
  private readonly disposables = new Disposables();
  private loaded: Explorers | undefined;
  readonly load = lazy(async () => {
    const { Explorers } = await import('./explorers');
    this.loaded = this.disposables.add(new Explorers(this.services));
    return this.loaded;
  });

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

  /** The run in the explorer that has the focus, or else in a visible one. */
  get shownRun(): RunView | undefined {
    return this.loaded?.active?.run;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
