import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, endAll, fake } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';

/** What users come for, by mouse, and how many clicks it takes. */
describe('In the window: a journey', () => {
  let workbench: Workbench;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
  });

  afterEach(async () => {
    await endAll();
    await configureAgents({});
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => workbench.disconnect());

  it('from an empty window to why an agent crashed takes two clicks', async () => {
    await configureAgents({ Crashes: fake('crashesAtOnce') });
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    const rows = await eventually(
      () => workbench.treeRows(view),
      (all) => all.some(({ label }) => label === 'Crashes'),
    );
    assert.equal(rows.find(({ label }) => label === 'Crashes')?.description, 'not started');
    await workbench.screenshot('journey-crash-1-not-started');

    await workbench.clickTreeAction(view, 'Crashes', 'Start');
    const [row] = await eventually(
      async () => (await workbench.treeRows(view)).filter(({ label }) => label === 'Crashes'),
      ([found]) => found?.description.startsWith('exit 3') === true,
    );
    assert.match(`${row?.label} ${row?.description}`.slice(0, 30), /exit 3 · "fatal: no/);
    await workbench.clickTreeRow(view, 'Crashes');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.details.getByText('no configuration was found').first().waitFor();
    await workbench.screenshot('journey-crash-2-why');
  });
});
