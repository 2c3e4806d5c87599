import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'explored');

describe('In the window: the Log Explorer', () => {
  let workbench: Workbench;
  let page: ExplorerPage;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
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
    // Not disconnected, because the window keeps its size only while the driver that set it is connected.
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
    const row = await eventually(
      () => page.activeRow(),
      (text) => text !== '',
    );
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
    await eventually(
      () => Promise.resolve(crashed.state),
      (state) => state === 'ended',
    );
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

  it('has the same record at the top after it was hidden', async () => {
    const uri = vscode.Uri.joinPath(folder, 'scrolled.ndjson');
    const line = (n: number): string => `{"level":"info","time":${1_760_000_000_000 + n},"msg":"record ${n}"}\n`;
    writeFileSync(uri.fsPath, Array.from({ length: 3000 }, (_, n) => line(n + 1)).join(''));
    const many = await (await agentLogs()).open(uri);
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: many.id });
    await page.ready();
    await page.total((total) => total === 3000);
    const top = async (): Promise<string> => (await page.locator('.row:not([hidden])').first().textContent()) ?? '';
    await page.grid.evaluate((grid: { scrollTop: number }) => (grid.scrollTop = 1000 * 22));
    const before = await eventually(top, (text) => text.endsWith('record 1001'));
    // The page saves its state 250 ms after it was drawn.
    await page.grid.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const document = await vscode.workspace.openTextDocument({ content: 'something else' });
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: many.id });
    await page.ready();
    await eventually(top, (text) => text === before);
    assert.equal(await page.button('Follow').getAttribute('aria-pressed'), 'false');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
