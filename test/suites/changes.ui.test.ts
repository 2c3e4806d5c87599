import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { takeInThemes, takeNarrow } from './pictures';
import { activeTab, agentLogs, diffTexts, execute, fixture, inWindow } from './support';
import { eventually } from './waiting';

describe('In the window: what a session changed', () => {
  const workbench = inWindow();
  const page = new ExplorerPage(workbench);
  let run: Run;

  before(async () => {
    run = await (await agentLogs()).open(vscode.Uri.file(fixture('changes/claude-saved.jsonl')));
  });

  beforeEach(() => execute('workbench.action.closeAllEditors'));

  /** Selects the turn, which has changes. */
  async function select(): Promise<Locator> {
    await page.open(run.id, { tab: 'turns' });
    await page.locator('#turn-1').getByText('2 files, +6 −1').waitFor();
    const grid = page.locator('[role=treegrid]');
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    return grid;
  }

  it('is in the row and the details of its turn, and a click on a file opens the diff editor', async () => {
    await select();
    await page.button('/home/dev/project/README.md').waitFor();
    assert.deepEqual(await page.violations(), []);
    await takeInThemes(workbench, 'changes-turns');
    await takeNarrow(workbench, 350, 'changes-turns');
    await page.button('/home/dev/project/README.md').click();
    const after = '# project\n\nOne more line.\n\nA small parser.\nIt parses.\n';
    assert.deepEqual(await diffTexts(), ['# projct\n\nA small parser.\nIt parses.\n', after]);
    await takeInThemes(workbench, 'changes-diff');
  });

  it('opens in the multi-diff editor, by a key, from two menus and for a caller', async () => {
    const opens = async (title = ''): Promise<void> => {
      await eventually(() => activeTab().startsWith(`Changes: ${title}`));
      await takeInThemes(workbench, 'changes-all');
      await execute('workbench.action.closeAllEditors');
    };
    await (await select()).press('f');
    await opens();
    await (await select()).press('Shift+F10');
    await page.locator('[role=menu]').getByText('Show All Changes').click();
    await opens();
    const row = await workbench.row(({ label }) => label.startsWith('claude-saved'));
    await workbench.chooseFromTreeMenu(row.label, 'Show All Changes');
    await opens();
    await execute('agentLogs.showChanges', { runId: run.id, turn: 'turn-1' });
    await opens('Change the files');
  });

  it('says what it does not know', async () => {
    const show = (arg: object): Promise<unknown> => execute('agentLogs.showChanges', { runId: run.id, ...arg });
    await assert.rejects(show({ turn: 'turn-99' }), /Unknown turn: turn-99/);
    await assert.rejects(show({ sessionId: 'x' }), /Unknown session: x/);
    await assert.rejects(show({ file: 'other.ts' }), /No changes are recorded/);
  });
});
