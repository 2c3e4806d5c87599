import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, configureAgents, fake, recordOf } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout } from './journey';

describe('A journey: from a record to its message, its span, and back', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let run: Run;

  before(async () => {
    journey = await Journey.begin('6-wire');
    await configureAgents({ 'Bookshop Agent': fake('bookshop') });
    run = await (await agentLogs()).start('Bookshop Agent');
    for (const text of ['Round the school discount once.', 'Run the tests.']) {
      await run.prompt(await run.newSession(), text);
    }
    await recordOf(run, ({ kind, logger }) => kind === 'diagnosis' && logger === 'failed-turn');
  });

  after(() => journey.end());

  it('by keys and menus', async () => {
    const { page } = journey;
    const failed = run.records().find(({ message }) => message.startsWith('npm test ('))!;
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, seq: failed.seq });
    await page.ready();
    await page.details.waitFor();
    await journey.explorerPicture('record');
    await page.grid.press('w');
    const wire = page.locator('#wire-grid');
    await page.locator('#panel-wire .pair pre').first().getByText('npm test').first().waitFor();
    await journey.explorerPicture('message');
    await wire.press('Shift+F10');
    await page
      .locator('[role=menu]')
      .getByRole('menuitem', { name: journey.t('Show in Turns') })
      .waitFor();
    await journey.explorerPicture('message-menu', 'fleeting');
    await page
      .locator('[role=menu]')
      .getByRole('menuitem', { name: journey.t('Show in Turns') })
      .click();
    const span = page.locator('[role=treegrid] [aria-selected=true]');
    await span.getByText('npm test').waitFor();
    await journey.explorerPicture('span');
    await page.locator('[role=treegrid]').press('l');
    await eventually(
      () => page.filter.inputValue(),
      (filter) => filter.startsWith('seq:'),
    );
  });

  it('with chips for what is listed, and both ends of a request side by side', async () => {
    const { page } = journey;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, tab: 'wire' });
    await page.ready();
    const grid = page.locator('#wire-grid');
    const rowCount = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
    await page.locator('.chips [aria-pressed=true]').first().waitFor();
    assert.equal(await page.filter.inputValue(), '');
    const all = await eventually(rowCount, (count) => count > 4);
    await page.button(new RegExp(`^${journey.t('Notifications')}`)).click();
    await eventually(rowCount, (count) => count > all);
    await page.button(new RegExp(`^${journey.t('Notifications')}`)).click();
    await eventually(rowCount, (count) => count === all);
    await grid.getByText('· Round the school discount once.').first().click();
    const bodies = page.locator('#panel-wire .pair pre');
    await bodies.nth(1).waitFor();
    assert.match(await bodies.first().innerText(), /Round the school discount once/);
    assert.match(await bodies.last().innerText(), /"stopReason"/);
    await page.heading(journey.t('Duration')).click();
    await page.locator('#wire-0').getByText('session/prompt').waitFor();
    await journey.explorerPicture('sorted');
  });

  it('filters Turns by a tool of the table', async () => {
    const { page } = journey;
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, tab: 'turns' });
    await page.ready();
    await page.button(journey.t('Tools')).click();
    const tool = page.locator('.tool-table').getByText('npm test');
    await tool.first().waitFor();
    await journey.explorerPicture('tools');
    await tool.first().click();
    await eventually(
      () => page.filter.inputValue(),
      (filter) => filter.startsWith('tool:'),
    );
    await page.filter.fill('status:error -status:error');
    await page.locator('#panel-turns .empty').waitFor();
    await page.filter.fill('');
  });
});
