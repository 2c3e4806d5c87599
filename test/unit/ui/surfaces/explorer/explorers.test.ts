import assert from 'node:assert/strict';
import '../../../../support/vscodeStub';
import type { Uri, WebviewPanel } from 'vscode';
import { Emitter } from '../../../../../src/text/emitter';
import type { ExplorerServices } from '../../../../../src/ui/surfaces/explorer/explorers';
import { Explorers } from '../../../../../src/ui/surfaces/explorer/explorers';

describe('the open explorers', () => {
  const never = new Emitter<never>().event;
  let finish: (run: unknown) => void;
  let explorers: Explorers;
  let closed: Emitter<void>;
  let panel: WebviewPanel;

  beforeEach(() => {
    const file = new Promise((resolve) => (finish = resolve));
    explorers = new Explorers({
      extensionUri: { path: '/' },
      memory: { get: () => ({}), update: () => Promise.resolve() },
      runs: { onDidRemove: never },
      fileRuns: { onDidRemove: never, onDidChange: never, at: () => file, refresh: () => file },
      views: { all: [], find: () => undefined, writerOf: () => undefined },
      errors: { report: (error: unknown) => assert.fail(String(error)) },
    } as unknown as ExplorerServices);
    closed = new Emitter();
    let isClosed = false;
    closed.event(() => (isClosed = true));
    panel = {
      onDidDispose: closed.event,
      onDidChangeViewState: never,
      get webview(): WebviewPanel['webview'] {
        if (isClosed) throw new Error('Webview is disposed');
        return { onDidReceiveMessage: never } as unknown as WebviewPanel['webview'];
      },
    } as unknown as WebviewPanel;
  });
  afterEach(() => explorers.dispose());

  it('leaves alone a tab that was closed while its file was being opened', async () => {
    const file = { scheme: 'file', fsPath: '/work/run.ndjson', path: '' } as unknown as Uri;
    const opening = explorers.openFile(panel, file);
    closed.fire();
    finish({ id: 'run', name: 'run', log: {}, state: { type: 'ended' } });
    await opening;
    assert.equal(explorers.active, undefined);
  });

  it('leaves alone a tab that was closed before its run was found after a reload', async () => {
    const restoring = explorers.restore(panel, 'run=gone');
    closed.fire();
    finish(undefined);
    await restoring;
    assert.equal(explorers.active, undefined);
  });
});
