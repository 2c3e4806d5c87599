import * as assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentLogs } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout } from './journey';

const start = 1_760_000_000_000;
const night = 11 * 3_600_000;
const half = 1500;
const loggers = ['db', 'http', 'cache'];

/** Two busy times with a night between them. */
function line(n: number): string {
  const level = n % 50 === 0 ? 'error' : n % 20 === 0 ? 'warn' : n % 3 === 0 ? 'debug' : 'info';
  const time = start + n * 100 + (n > half ? night : 0);
  return `${JSON.stringify({ level, time, logger: loggers[n % loggers.length], msg: `request ${n} of the shop` })}\n`;
}

describe('A journey: a flood of records', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let folder: string;
  let file: string;

  before(async () => {
    journey = await Journey.begin('5-flood');
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-flood-'));
    file = join(folder, 'shop.ndjson');
    writeFileSync(file, Array.from({ length: 2 * half }, (_, n) => line(n + 1)).join(''));
    const run = await (await agentLogs()).open(vscode.Uri.file(file));
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id });
    await journey.page.ready();
    await journey.page.total((total) => total === 2 * half);
  });

  after(async () => {
    await journey.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const filter = (fits: (text: string) => boolean): Promise<string> =>
    eventually(() => journey.page.filter.inputValue(), fits);
  const clear = async (): Promise<void> => {
    const { page } = journey;
    await page.filter.fill('');
    await page.filter.press('Enter');
    await page.total((total) => total >= 2 * half);
  };

  it('says in the histogram what was when, and goes to what is clicked', async () => {
    const { page, workbench } = journey;
    await page.locator('.histogram rect').first().waitFor();
    const { x, y, width } = (await page.locator('.histogram').boundingBox())!;
    const { mouse } = workbench.page;
    const tooltip = page.locator('[role=tooltip]');
    await mouse.move(x + 0.5 * width, y + 10);
    await tooltip.getByText('11 h').waitFor();
    await mouse.move(x + 0.25 * width, y + 10);
    await tooltip
      .getByText(/^\S+: \d+$/)
      .first()
      .waitFor();
    await journey.explorerPicture('tooltip', 'fleeting');
    await mouse.click(x + 0.25 * width, y + 10);
    await eventually(
      () => page.activeRow(),
      (row) => /request (?:[67]\d\d|8[0-5]\d) of/.test(row),
    );
    await journey.explorerPicture('histogram');
  });

  it('is filtered by the buttons of a cell, its menu and its keys', async () => {
    const { page } = journey;
    const cell = page.locator('#panel-log [role=row] .logger').filter({ hasText: 'cache', visible: true }).first();
    await cell.hover();
    await page.button(journey.t('Exclude This Logger')).first().waitFor();
    await journey.explorerPicture('cell-buttons', 'fleeting');
    await cell.hover();
    await page.button(journey.t('Exclude This Logger')).first().click();
    await filter((text) => text === '-logger:cache');
    await page.total((total) => total === (2 * half * 2) / 3);
    assert.equal(await page.locator('.news').count(), 0);
    const other = page.locator('#panel-log [role=row] .logger').filter({ hasText: 'http', visible: true }).first();
    await other.click({ button: 'right' });
    const menu = page.locator('[role=menu]');
    await menu.waitFor();
    await journey.explorerPicture('menu', 'fleeting');
    await menu.getByRole('menuitem', { name: journey.t('Only This Logger') }).click();
    await filter((text) => text.includes('logger:http'));
    await page.total((total) => total === (2 * half) / 3);
    await clear();
  });

  it('completes what is typed, and hints at a wrong value', async () => {
    const { page, workbench } = journey;
    const options = page.locator('#suggestions [role=option]');
    await page.filter.click();
    assert.equal(await options.count(), 0, 'no suggestions before something is typed');
    await page.filter.press('Control+Space');
    await options.first().waitFor();
    await journey.explorerPicture('all-keys', 'fleeting');
    await page.filter.press('Escape');
    await workbench.page.keyboard.type('le');
    await options.first().waitFor();
    await journey.explorerPicture('completion', 'fleeting');
    await page.filter.press('Tab');
    await filter((text) => text === 'level:');
    await workbench.page.keyboard.type('warning');
    await page.total((total) => total < half);
    await page.filter.fill('level:wrong');
    await page.locator('.notice').filter({ hasText: 'wrong' }).waitFor();
    await journey.explorerPicture('wrong-value');
    await clear();
  });

  it('counts what comes while other records are read, in every tab', async () => {
    const { page } = journey;
    await page.grid.press('Home');
    await eventually(
      () => page.activeRow(),
      (row) => row.includes('request 1 of'),
    );
    appendFileSync(file, Array.from({ length: 12 }, (_, n) => line(2 * half + n + 1)).join(''));
    const news = page.button(journey.t('{0} new', 12));
    await news.waitFor();
    await page.locator('[role=tab]').nth(1).click();
    await page.locator('#panel-wire').waitFor();
    await journey.explorerPicture('empty-wire');
    await page.locator('[role=tab]').first().click();
    await news.waitFor();
    await journey.explorerPicture('new');
    await news.click();
    await page
      .locator('#panel-log [role=row]')
      .filter({ hasText: `request ${2 * half + 12} of` })
      .waitFor();
  });
});
