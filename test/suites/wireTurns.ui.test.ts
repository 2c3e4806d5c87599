import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

/** In pixels: what is beside it is narrow in a narrow window. */
const sideBarEdge = 348;

describe('In the window: the Wire and Turns tabs', () => {
  let workbench: Workbench;
  let page: ExplorerPage;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await workbench.dragSideBar(sideBarEdge);
    page = new ExplorerPage(workbench);
    await configureAgents({ 'Bookshop Agent': fake('bookshop') });
    run = await (await agentLogs()).start('Bookshop Agent');
    for (const text of ['Round the school discount once.', 'Run the tests.']) {
      await run.prompt(await run.newSession(), text);
    }
    await recordOf(run, ({ kind, logger }) => kind === 'diagnosis' && logger === 'failed-turn');
  });

  beforeEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(async () => {
    await endAll();
    await configureAgents({});
  });

  async function open(options: object = {}): Promise<void> {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, ...options });
    await page.ready();
  }

  it('lists requests with their answers, filters them, and shows both side by side', async () => {
    await open({ tab: 'wire' });
    const grid = page.locator('[role=grid][aria-label=Requests]');
    const rowCount = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
    const all = await eventually(rowCount, (count) => count > 4);
    assert.equal(await page.filter.inputValue(), '');
    assert.equal(await page.button(/^Requests/).getAttribute('aria-pressed'), 'true');
    await grid.getByText('· Round the school discount once.').first().waitFor();
    await page.locator('#filter').fill('method:session/prompt');
    await eventually(rowCount, (count) => count === 2);
    await page.locator('#filter').press('Enter');
    await grid.press('ArrowDown');
    await grid.press('Enter');
    const bodies = page.locator('.pair pre');
    await eventually(
      () => bodies.count(),
      (count) => count === 2,
    );
    assert.match(await bodies.first().innerText(), /Round the school discount once/);
    assert.match(await bodies.last().innerText(), /"stopReason"/);
    await grid.press('y');
    await eventually(
      async () => await vscode.env.clipboard.readText(),
      (text) => text.includes('"session/prompt"') && text.includes('"stopReason"'),
    );
    await grid.press('?');
    await page.locator('[role=dialog]').press('Escape');
    await page.locator('#wire-grid:focus').waitFor();
    await page.locator('#filter').fill('');
    await eventually(rowCount, (count) => count === all);
    await page.filter.press('Escape'); // the suggestions cover the chips
    await page.button(/^Notifications/).click();
    await eventually(rowCount, (count) => count > all);
    await page.button(/^Requests/).click();
    await page.locator('#wire-0').getByText('session/update').waitFor();
    await page.heading('Duration').click();
    await page.button(/^Notifications/).click();
    await page.locator('#wire-0').getByText('session/prompt').waitFor();
    await grid.press('ArrowDown');
    await grid.press('l');
    await page.details.waitFor();
  });

  it('shows turns and their parts on a time axis, by keyboard too, and the records of a span', async () => {
    await open({ tab: 'turns' });
    const grid = page.locator('[role=treegrid]');
    const rows = page.locator('[role=treegrid] [role=row]');
    await eventually(
      () => rows.count(),
      (count) => count > 4,
    );
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    const details = page.locator('#panel-turns [role=region]');
    await eventually(
      async () => (await details.textContent()) ?? '',
      (text) => /model .* · \d+ tool calls?/.test(text),
    );
    const before = await rows.count();
    await grid.press('ArrowLeft');
    await eventually(
      () => rows.count(),
      (count) => count < before,
    );
    await grid.press('ArrowRight');
    await eventually(
      () => rows.count(),
      (count) => count === before,
    );
    assert.deepEqual(await page.violations(), []);
    await page.filter.fill('status:error');
    const some = await eventually(
      () => rows.count(),
      (count) => count > 2 && count < before,
    );
    assert.match((await page.locator('.count [role=status]').textContent()) ?? '', /^\d+ of \d+$/);
    await page.filter.fill('status:error -status:error');
    await page.locator('#panel-turns .empty').waitFor();
    await page.filter.fill('');
    await eventually(
      () => rows.count(),
      (count) => count > some,
    );
    await page.filter.press('Escape');
    await grid.press('Enter');
    await eventually(
      () => page.filter.inputValue(),
      (filter) => /^seq:\d+\.\.\d+$/.test(filter),
    );
    await page.total((total) => total > 0 && total < run.records().length);
  });

  it('zooms to what is dragged over, and to the span of the selected record', async () => {
    await open({ tab: 'turns' });
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
    const failed = run.records().find(({ message }) => message.startsWith('npm test'))!;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open({ seq: failed.seq });
    await page.details.waitFor();
    await page.grid.press('3');
    await page.locator('[role=treegrid] [aria-selected=true]').getByText('npm test').waitFor();
  });

  it('hides and resizes columns, keeps them in the next explorer, and shows the status in a narrow one', async () => {
    const { mouse } = workbench.page;
    const widthOf = async (name: string): Promise<number> => (await page.heading(name).boundingBox())?.width ?? 0;
    await open({ tab: 'wire' });
    await page.heading('Size').click({ button: 'right' });
    await page.locator('[role=menu]').waitFor();
    await workbench.screenshot('column-menu');
    assert.deepEqual(await page.violations(), []);
    await page.locator('[role=menu]').getByText('Size').click();
    await page.heading('Size').waitFor({ state: 'hidden' });
    const edge = await page.heading('Duration').boundingBox();
    assert.ok(edge);
    await mouse.move(edge.x + 2, edge.y + 10);
    await mouse.down();
    await mouse.move(edge.x - 18, edge.y + 10);
    await mouse.move(edge.x - 38, edge.y + 10);
    await mouse.up();
    await eventually(
      () => widthOf('Duration'),
      (width) => Math.abs(width - edge.width - 40) < 3,
    );
    assert.equal(await page.heading('Duration').getAttribute('aria-sort'), 'none');
    await page.locator('body').evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))); // the page saves them
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open({ tab: 'wire' });
    await page.heading('Size').waitFor({ state: 'hidden' });
    assert.ok((await widthOf('Duration')) > edge.width + 30);
    await page.heading('Duration').press('Shift+F10');
    await page.locator('[role=menu]').getByText('Reset Columns').click();
    await page.heading('Size').waitFor();
    await workbench.inSize({ width: 760 }, async () => {
      await page.heading('Timeline').waitFor({ state: 'hidden' });
      assert.ok(await page.heading('Status').isVisible());
      await workbench.screenshot('wire-400');
      assert.deepEqual(await page.violations(), []);
    });
  });

  it('keeps a clicked record in view when its details open below', async () => {
    await workbench.inSize({ width: 800 }, async () => {
      await open({ tab: 'log' });
      await page.grid.press('Escape');
      await page.details.waitFor({ state: 'hidden' });
      const row = page.locator('#panel-log [role=row][aria-rowindex]').last();
      for (const one of [row, page.locator('#panel-log [role=row][aria-rowindex]').first()]) {
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

  it('has nothing that axe-core objects to, in a narrow window too', async () => {
    await open({ tab: 'wire' });
    await page.locator('#wire-2').click();
    await page.locator('.pair pre').first().waitFor();
    assert.deepEqual(await page.violationsInThemes(), [], 'Wire');
    await open({ tab: 'turns' });
    await page.locator('#turn-1').click();
    await page.button('Tools').click();
    await page.locator('.tool-table td').first().waitFor();
    assert.deepEqual(await page.violationsInThemes(), [], 'Turns');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await workbench.inSize({ width: 660 }, async () => {
      for (const tab of ['wire', 'turns']) {
        await open({ tab });
        await page.locator(`#panel-${tab} [role=row]`).first().waitFor();
        await workbench.screenshot(`${tab}-narrow`);
        assert.deepEqual(await page.violations(), [], `${tab}, narrow`);
      }
    });
  });
});
