import * as assert from 'node:assert/strict';
import { takeInThemes } from '../pictures';
import { agentLogs, inWindow } from '../support';

describe('The view of an untrusted workspace', () => {
  const workbench = inWindow();

  it('says why no agent starts although there are runs, and leads to what changes that', async () => {
    await (await agentLogs()).start('Sample Agent');
    const rows = await workbench.treeRowsUntil((all) => all.some(({ label }) => label === 'Sample Agent'));
    assert.deepEqual([rows[0]?.label, rows[0]?.description], ["Agents can't start", 'not trusted']);
    await workbench.dragSideBar(348);
    await takeInThemes(workbench, 'untrusted-tree');
    await workbench.clickTreeRow("Agents can't start");
    await workbench.page.getByText('You are in Restricted Mode').waitFor();
    await workbench.screenshot('untrusted-trust');
    await workbench.page.keyboard.press('Escape');
  });
});
