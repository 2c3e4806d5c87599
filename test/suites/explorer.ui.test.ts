import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import {
  agentLogs,
  bookshopRun,
  configureAgents,
  crashedRun,
  execute,
  fake,
  inWindow,
  temporaryFolder,
} from './support';
import { poll } from './waiting';

/** In pixels: what is beside it is narrow in a narrow window. */
const sideBarEdge = 348;

describe('In the window: the Log Explorer', () => {
  const workbench = inWindow();
  const page = new ExplorerPage(workbench);
  const folder = temporaryFolder();
  let run: Run;

  before(async () => {
    await workbench.dragSideBar(sideBarEdge);
    run = await bookshopRun();
  });

  beforeEach(() => execute('workbench.action.closeAllEditors'));

  it('reports that its run was closed, and offers its journal', async () => {
    await configureAgents({ Crashes: fake('crashesInTurn') });
    const crashed = await crashedRun();
    await page.open(crashed.id);
    const total = await page.total((count) => count > 0);
    await execute('agentLogs.removeRun', crashed.id);
    await page.button('Open Journal').click();
    await page.button('Open Journal').waitFor({ state: 'hidden' });
    await page.ready();
    assert.equal(await page.total((count) => count === total), total);
  });

  it('is where it was after it was hidden, says in the histogram what was when, and goes to what is clicked', async () => {
    const uri = vscode.Uri.file(join(folder, 'flood.ndjson'));
    const night = 11 * 3_600_000;
    const line = (n: number): string => {
      const time = 1_760_000_000_000 + n * 100 + (n > 1500 ? night : 0);
      return `${JSON.stringify({ level: 'info', time, msg: `request ${n} of` })}\n`;
    };
    writeFileSync(uri.fsPath, Array.from({ length: 3000 }, (_, n) => line(n + 1)).join(''));
    const { id } = await (await agentLogs()).open(uri);
    await page.open(id);
    await page.total((total) => total === 3000);
    const top = async (): Promise<string> => (await page.locator('.row:not([hidden])').first().textContent()) ?? '';
    await page.grid.evaluate((grid: { scrollTop: number }) => (grid.scrollTop = 1000 * 22));
    const before = await poll(top).until((text) => text.endsWith('request 1001 of'));
    // The page saves its state 250 ms after it was drawn.
    await page.grid.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const document = await vscode.workspace.openTextDocument({ content: 'something else' });
    await vscode.window.showTextDocument(document, { preview: false });
    await page.open(id);
    await poll(top).until((text) => text === before);
    assert.equal(await page.button('Follow').getAttribute('aria-pressed'), 'false');
    await page.locator('.histogram rect').first().waitFor();
    const { x, y, width } = (await page.locator('.histogram').boundingBox())!;
    const { mouse } = workbench.page;
    const tooltip = page.locator('[role=tooltip]');
    await mouse.move(x + 0.5 * width, y + 10);
    await tooltip.getByText('11 h').waitFor();
    await mouse.move(x + 0.25 * width, y + 10);
    const counted = tooltip.getByText(/^\S+: \d+$/);
    await counted.first().waitFor();
    assert.deepEqual(await page.violations(), []);
    await mouse.click(x + 0.25 * width, y + 10);
    await page.activeRowUntil((row) => /request (?:[67]\d\d|8[0-5]\d) of/.test(row));
  });

  it('zooms to what is dragged over', async () => {
    await page.open(run.id, { tab: 'turns' });
    const bars = await page.locator('#turn-1 .bars').boundingBox();
    assert.ok(bars);
    const { mouse } = workbench.page;
    await mouse.move(bars.x + bars.width / 4, bars.y + 5);
    await mouse.down();
    await mouse.move(bars.x + bars.width / 3, bars.y + 5);
    await mouse.move(bars.x + bars.width / 2, bars.y + 5);
    await mouse.up();
    await page.button('Zoom out').first().waitFor();
    await workbench.screenshot('turns-zoomed');
    await page.locator('[role=treegrid]').press('Escape');
    await page.button('Zoom out').first().waitFor({ state: 'hidden' });
  });

  it('resizes columns by the mouse, keeps them in the next explorer, and shows the status in a narrow one', async () => {
    const { mouse } = workbench.page;
    const widthOf = async (name: string): Promise<number> => (await page.heading(name).boundingBox())?.width ?? 0;
    await page.open(run.id, { tab: 'wire' });
    const edge = await page.heading('Duration').boundingBox();
    assert.ok(edge);
    await mouse.move(edge.x + 2, edge.y + 10);
    await mouse.down();
    await mouse.move(edge.x - 38, edge.y + 10, { steps: 2 });
    await mouse.up();
    await poll(() => widthOf('Duration')).until((width) => Math.abs(width - edge.width - 40) < 3);
    assert.equal(await page.heading('Duration').getAttribute('aria-sort'), 'none');
    await page.locator('body').evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))); // the page saves them
    await execute('workbench.action.closeAllEditors');
    await page.open(run.id, { tab: 'wire' });
    assert.ok((await widthOf('Duration')) > edge.width + 30);
    await page.heading('Duration').press('Shift+F10');
    assert.deepEqual(await page.violations(), []);
    await page.locator('[role=menu]').getByText('Reset Columns').click();
    await poll(() => widthOf('Duration')).until((width) => Math.abs(width - edge.width) < 3);
    await workbench.inSize({ width: 760 }, async () => {
      await page.heading('Timeline').waitFor({ state: 'hidden' });
      assert.ok(await page.heading('Status').isVisible());
      await workbench.screenshot('wire-400');
      assert.deepEqual(await page.violations(), []);
    });
  });

  it('keeps a clicked record in view when its details open below', async () => {
    await workbench.inSize({ width: 800 }, async () => {
      await page.open(run.id, { tab: 'log' });
      await page.grid.press('Escape');
      await page.details.waitFor({ state: 'hidden' });
      const rows = page.locator('#panel-log [role=row][aria-rowindex]');
      for (const one of [rows.last(), rows.first()]) {
        await one.click();
        await page.details.waitFor();
        await workbench.screenshot('details-below');
        const [selected, below] = await Promise.all([
          page.locator('#panel-log .row.selected').boundingBox(),
          page.details.boundingBox(),
        ]);
        assert.ok(selected && below && selected.y + selected.height <= below.y + 1);
        const grid = await page.grid.boundingBox();
        assert.ok(grid && selected.y >= grid.y + 20);
        await page.grid.press('Escape');
        await page.details.waitFor({ state: 'hidden' });
      }
    });
  });
});
