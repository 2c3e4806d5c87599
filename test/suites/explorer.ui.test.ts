import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, endAll, ended, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'explored');

/** In pixels: what is beside it is narrow in a narrow window. */
const sideBarEdge = 348;

describe('In the window: the Log Explorer', () => {
  let workbench: Workbench;
  let page: ExplorerPage;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await workbench.dragSideBar(sideBarEdge);
    page = new ExplorerPage(workbench);
    mkdirSync(folder.fsPath, { recursive: true });
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
    rmSync(folder.fsPath, { recursive: true, force: true });
  });

  async function open(options: object = {}): Promise<void> {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, ...options });
    await page.ready();
  }

  it('opens from a record of the tree and with Go to Next Problem, and opens a record as text', async () => {
    await vscode.commands.executeCommand('agentLogs.nextProblem');
    await page.ready();
    await page.details.waitFor();
    await page.button('Open as Text').click();
    const text = await eventually(
      () => Promise.resolve(vscode.window.activeTextEditor?.document.getText() ?? ''),
      (shown) => shown.includes('## What happened'),
    );
    assert.match(text, /^# /);
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
  });

  it('keeps its filter, its selection and its details while it is hidden', async () => {
    await open({ query: 'level:warning' });
    const some = await page.total((count) => count > 0 && count < run.records().length);
    await page.grid.focus();
    await workbench.page.keyboard.press('g');
    const row = await page.activeRowUntil((text) => text !== '');
    await workbench.page.keyboard.press('Enter');
    await page.details.waitFor();
    const document = await vscode.workspace.openTextDocument({ content: 'something else' });
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id });
    await page.ready();
    assert.equal(await page.filter.inputValue(), 'level:warning');
    assert.equal(await page.total((count) => count === some), some);
    assert.equal(
      await eventually(
        () => page.activeRow(),
        (text) => text !== '',
      ),
      row,
    );
    await page.details.getByText('Record', { exact: true }).waitFor();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('reports that its run was closed, and offers its journal', async () => {
    await configureAgents({ 'Bookshop Agent': fake('bookshop'), Crashes: fake('crashesInTurn') });
    const crashed = await (await agentLogs()).start('Crashes');
    await assert.rejects(crashed.prompt(await crashed.newSession(), 'go'));
    await ended(crashed);
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: crashed.id });
    await page.ready();
    const total = await page.total((count) => count > 0);
    const { journal } = crashed;
    await vscode.commands.executeCommand('agentLogs.removeRun', crashed.id);
    await page.button('Open Journal').click();
    await page.button('Open Journal').waitFor({ state: 'hidden' });
    await page.ready();
    assert.equal(await page.total((count) => count === total), total);
    // Its journal, or the suites after this one would find a past run.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const past of (await agentLogs()).runs.filter(({ name }) => name === 'Crashes')) {
      await vscode.commands.executeCommand('agentLogs.removeRun', past.id);
    }
    rmSync(journal!.fsPath);
  });

  it('is where it was after it was hidden, says in the histogram what was when, and goes to what is clicked', async () => {
    const uri = vscode.Uri.joinPath(folder, 'flood.ndjson');
    const night = 11 * 3_600_000;
    const line = (n: number): string =>
      `${JSON.stringify({ level: 'info', time: 1_760_000_000_000 + n * 100 + (n > 1500 ? night : 0), msg: `request ${n} of` })}\n`;
    writeFileSync(uri.fsPath, Array.from({ length: 3000 }, (_, n) => line(n + 1)).join(''));
    const { id } = await (await agentLogs()).open(uri);
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: id });
    await page.ready();
    await page.total((total) => total === 3000);
    const top = async (): Promise<string> => (await page.locator('.row:not([hidden])').first().textContent()) ?? '';
    await page.grid.evaluate((grid: { scrollTop: number }) => (grid.scrollTop = 1000 * 22));
    const before = await eventually(top, (text) => text.endsWith('request 1001 of'));
    // The page saves its state 250 ms after it was drawn.
    await page.grid.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const document = await vscode.workspace.openTextDocument({ content: 'something else' });
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: id });
    await page.ready();
    await eventually(top, (text) => text === before);
    assert.equal(await page.button('Follow').getAttribute('aria-pressed'), 'false');
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
    assert.deepEqual(await page.violations(), []);
    await mouse.click(x + 0.25 * width, y + 10);
    await page.activeRowUntil((row) => /request (?:[67]\d\d|8[0-5]\d) of/.test(row));
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

  it('resizes columns by the mouse, keeps them in the next explorer, and shows the status in a narrow one', async () => {
    const { mouse } = workbench.page;
    const widthOf = async (name: string): Promise<number> => (await page.heading(name).boundingBox())?.width ?? 0;
    await open({ tab: 'wire' });
    const edge = await page.heading('Duration').boundingBox();
    assert.ok(edge);
    await mouse.move(edge.x + 2, edge.y + 10);
    await mouse.down();
    await mouse.move(edge.x - 38, edge.y + 10, { steps: 2 });
    await mouse.up();
    await eventually(
      () => widthOf('Duration'),
      (width) => Math.abs(width - edge.width - 40) < 3,
    );
    assert.equal(await page.heading('Duration').getAttribute('aria-sort'), 'none');
    await page.locator('body').evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))); // the page saves them
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open({ tab: 'wire' });
    assert.ok((await widthOf('Duration')) > edge.width + 30);
    await page.heading('Duration').press('Shift+F10');
    assert.deepEqual(await page.violations(), []);
    await page.locator('[role=menu]').getByText('Reset Columns').click();
    await eventually(
      () => widthOf('Duration'),
      (width) => Math.abs(width - edge.width) < 3,
    );
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
});
