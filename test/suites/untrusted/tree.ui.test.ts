import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takeInThemes } from '../pictures';
import { agentLogs, endAll } from '../support';
import { Workbench } from '../workbench';

const view = 'Sessions';

describe('The view of an untrusted workspace', () => {
  let workbench: Workbench;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
  });

  after(async () => {
    await endAll();
  });

  it('says why no agent starts although there are runs, and leads to what changes that', async () => {
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await (await agentLogs()).start('Sample Agent');
    const rows = await workbench.treeRowsUntil(view, (all) => all.some(({ label }) => label === 'Sample Agent'));
    assert.deepEqual([rows[0]?.label, rows[0]?.description], ["Agents can't start", 'not trusted']);
    await workbench.dragSideBar(348);
    await takeInThemes(workbench, 'untrusted-tree');
    await workbench.clickTreeRow(view, "Agents can't start");
    await workbench.page.getByText('You are in Restricted Mode').waitFor();
    await workbench.screenshot('untrusted-trust');
    await workbench.page.keyboard.press('Escape');
  });
});
