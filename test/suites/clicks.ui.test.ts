import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, copied, endAll, ended, fake } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';

describe('In the window: one click to the answer', () => {
  let workbench: Workbench;
  let page: ExplorerPage;

  before(async () => {
    await agentLogs();
    workbench = await Workbench.connect();
    page = new ExplorerPage(workbench);
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
  });

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(async () => {
    await endAll();
    await configureAgents({});
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const runOf = async (name: string): Promise<Run | undefined> =>
    (await agentLogs()).runs.find((run) => run.name === name);
  it('opens the problem of an agent that crashed, from its first start and from its row', async () => {
    await configureAgents({ Crashes: fake('crashesInTurn') });
    await vscode.commands.executeCommand('agentLogs.start', 'Crashes');
    await page.ready();
    const run = await runOf('Crashes');
    await assert.rejects(run!.prompt(await run!.newSession(), 'go'));
    await ended(run!);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    // Rows move while the agent ends.
    await workbench.treeRow(view, 'Crashes').filter({ hasText: 'exit 7' }).waitFor();
    await workbench.clickTreeRow(view, 'Crashes');
    await page.ready();
    await page.details.getByRole('heading', { name: 'Agent exited unexpectedly' }).waitFor();
    const card = page.locator('[aria-label="How the run ended"]');
    assert.match(await card.innerText(), /^Ended: exit 7, because/);
    await card.getByRole('button', { name: 'Restart' }).waitFor();
    await workbench.screenshot('clicks-2-crash');
    assert.deepEqual(await page.violations(), []);
    await card.getByRole('button', { name: 'Copy Report' }).click();
    await copied((text) => text.includes('Crashes'));
  });

  it('shows the new run when the agent is restarted from the explorer of one that ended', async () => {
    await endAll();
    await vscode.commands.executeCommand('agentLogs.start', 'Crashes');
    await page.ready();
    const run = (await agentLogs()).runs.find(({ name, state }) => name === 'Crashes' && state !== 'ended');
    await assert.rejects(run!.prompt(await run!.newSession(), 'go'));
    const card = page.locator('[aria-label="How the run ended"]');
    await card.getByRole('button', { name: 'Restart' }).click();
    const labels = (): string[] => vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    await eventually(
      () => Promise.resolve(labels()),
      (all) => all.length === 2,
    );
    await page.ready();
    await card.waitFor({ state: 'hidden' });
  });
});
