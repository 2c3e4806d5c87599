import * as assert from 'node:assert/strict';
import type { Run } from '../../../api/agent-logs';
import { bookshopRun, execute } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

describe('A journey: from a record to its message, its span, and back', () => {
  const journey = Journey.ofSuite('6-wire');
  const { page } = journey;
  let run: Run;

  before(async () => void (run = await bookshopRun()));

  it('by keys and menus', async () => {
    const failed = run.records().find(({ message }) => message.startsWith('npm test ('))!;
    await page.open(run.id, { seq: failed.seq });
    await page.details.waitFor();
    await journey.explorerPicture('record');
    await page.grid.press('w');
    const wire = page.locator('#wire-grid');
    await page.locator('#panel-wire .pair pre').first().getByText('npm test').first().waitFor();
    await journey.explorerPicture('message');
    await wire.press('Shift+F10');
    const item = page.locator('[role=menuitem]').filter({ hasText: journey.t('Show in Turns') });
    await item.waitFor();
    await journey.explorerPicture('message-menu', 'fleeting');
    await item.click();
    const span = page.locator('[role=treegrid] [aria-selected=true]');
    await span.getByText('npm test').waitFor();
    await journey.explorerPicture('span');
    await page.locator('[role=treegrid]').press('l');
    await poll(() => page.filter.inputValue()).until((filter) => filter.startsWith('seq:'));
  });

  it('with chips for what is listed, and both ends of a request side by side', async () => {
    await execute('workbench.action.closeAllEditors');
    await page.open(run.id, { tab: 'wire' });
    const grid = page.locator('#wire-grid');
    const rowCount = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
    await page.locator('.chips [aria-pressed=true]').first().waitFor();
    assert.equal(await page.filter.inputValue(), '');
    const all = await poll(rowCount).until((count) => count > 4);
    const notifications = page.button(new RegExp(`^${journey.t('Notifications')}`));
    await notifications.click();
    await poll(rowCount).until((count) => count > all);
    await notifications.click();
    await poll(rowCount).until((count) => count === all);
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
    await page.open(run.id, { tab: 'turns' });
    await page.button(journey.t('Tools')).click();
    const tool = page.locator('.tool-table').getByText('npm test');
    await tool.first().waitFor();
    await journey.explorerPicture('tools');
    await tool.first().click();
    await poll(() => page.filter.inputValue()).until((filter) => filter.startsWith('tool:'));
    await page.filter.fill('status:error -status:error');
    await page.locator('#panel-turns .empty').waitFor();
    await page.filter.fill('');
  });
});
