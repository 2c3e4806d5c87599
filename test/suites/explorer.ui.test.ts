import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { agentLogs, configureAgents, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

describe('In the window: the Log Explorer', function () {
  this.timeout(60_000);
  let workbench: Workbench;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
    await configureAgents({ 'Bookshop Agent': fake('bookshop') });
    run = await (await agentLogs()).start('Bookshop Agent');
    for (const text of ['Round the school discount once.', 'Run the tests.']) {
      await run.prompt(await run.newSession(), text);
    }
    await recordOf(run, ({ kind }) => kind === 'diagnosis');
  });

  after(async () => {
    await endAll();
    await configureAgents({});
    await workbench.disconnect();
  });

  it('shows the records of a run, and filters them', async () => {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id });
    const page = workbench.webview();
    await page.locator('body[data-ready=true]').waitFor();
    const grid = page.getByRole('grid', { name: 'Log records' });
    const total = Number(await grid.getAttribute('aria-rowcount'));
    assert.equal(total, run.records().length);
    await workbench.screenshot('explorer-1');
    await page.getByRole('textbox', { name: 'Filter' }).fill('level:warning');
    await eventually(
      async () => Number(await grid.getAttribute('aria-rowcount')),
      (count) => count > 0 && count < total,
    );
    await workbench.screenshot('explorer-2');
  });
});
