import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { takeInThemes, takeNarrow } from './pictures';
import { agentLogs } from './support';
import { eventually, Workbench } from './workbench';

/** The input of the active tab, once it is of this kind. */
async function activeInput<T>(kind: new (...args: never[]) => T): Promise<T> {
  const input = await eventually(
    async () => Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.input),
    (found) => found instanceof kind,
  );
  return input as T;
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

describe('In the window: what a session changed', () => {
  let workbench: Workbench;
  let page: ExplorerPage;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
    page = new ExplorerPage(workbench);
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    const file = join(extensionPath, 'test/fixtures/changes/claude-saved.jsonl');
    run = await (await agentLogs()).open(vscode.Uri.file(file));
  });

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.removeRun', run.id);
  });

  it('is in the row and the details of its turn, and a click on a file opens the diff editor', async () => {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, tab: 'turns' });
    await page.ready();
    const grid = page.locator('[role=treegrid]');
    await page.locator('#turn-1').getByText('2 files, +6 −1').waitFor();
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    await page.button('/home/dev/project/README.md').waitFor();
    assert.deepEqual(await page.violations(), []);
    await takeInThemes(workbench, 'changes-turns');
    await takeNarrow(workbench, 350, 'changes-turns');
    await page.button('/home/dev/project/README.md').click();
    const { original, modified } = await activeInput(vscode.TabInputTextDiff);
    assert.equal(await textOf(original), '# projct\n\nA small parser.\nIt parses.\n');
    assert.equal(await textOf(modified), '# project\n\nOne more line.\n\nA small parser.\nIt parses.\n');
    assert.ok(modified.path.endsWith('/home/dev/project/README.md'));
    await takeInThemes(workbench, 'changes-diff');
  });

  it('opens in the multi-diff editor, from the keyboard and for a caller', async () => {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, tab: 'turns' });
    await page.ready();
    const grid = page.locator('[role=treegrid]');
    await page.locator('#turn-1').getByText('2 files, +6 −1').waitFor();
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    await grid.press('f');
    const label = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
    await eventually(
      async () => Promise.resolve(label()),
      (text) => text.startsWith('Changes: '),
    );
    await takeInThemes(workbench, 'changes-all');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.showChanges', { runId: run.id, turn: 'turn-1' });
    await eventually(
      async () => Promise.resolve(label()),
      (text) => text.startsWith('Changes: Change the files'),
    );
  });

  it('opens from the menu of a row', async () => {
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    const rows = await workbench.treeRowsUntil('Sessions', (all) =>
      all.some(({ label }) => label.startsWith('claude-saved')),
    );
    const { label = '' } = rows.find((row) => row.label.startsWith('claude-saved')) ?? {};
    await workbench.chooseFromTreeMenu('Sessions', label, 'Show All Changes');
    await eventually(
      async () => Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ''),
      (text) => text.startsWith('Changes: '),
    );
    await takeInThemes(workbench, 'changes-of-row');
  });

  it('says what it does not know', async () => {
    const show = (arg: object): Thenable<unknown> =>
      vscode.commands.executeCommand('agentLogs.showChanges', { runId: run.id, ...arg });
    await assert.rejects(async () => show({ turn: 'turn-99' }), /Unknown turn: turn-99/);
    await assert.rejects(async () => show({ sessionId: 'x' }), /Unknown session: x/);
    await assert.rejects(async () => show({ file: 'other.ts' }), /No changes are recorded/);
  });
});
