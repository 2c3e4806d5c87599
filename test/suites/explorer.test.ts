import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, copied, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'explored');

// Runs at both ends of the supported range: it drives the page, and nothing of VS Code's own markup.
describe('The Log Explorer', () => {
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
  });

  async function open(options: object = {}): Promise<void> {
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, ...options });
    await page.ready();
  }

  it('shows all records, filters them, and says how many there are', async () => {
    await open();
    const all = run.records().length;
    assert.equal(await page.total(), all);
    await page.filter.fill('level:warning');
    const some = await page.total((count) => count > 0 && count < all);
    assert.equal(some, run.records({ minLevel: 'warning' }).length);
    const status = page.locator('[role=status]');
    await eventually(
      async () => (await status.textContent()) ?? '',
      (text) => text === `${some} of ${all}`,
    );
    await page.button(/^error/).click();
    await eventually(
      () => page.filter.inputValue(),
      (text) => text.includes('level:'),
    );
  });

  it('works with the keyboard alone', async () => {
    await open();
    const { keyboard } = workbench.page;
    await page.grid.focus();
    await keyboard.press('Control+F');
    await keyboard.type('"npm test"');
    await page.total((count) => count > 0 && count < run.records().length);
    await keyboard.press('Enter');
    await keyboard.press('g');
    await page.activeRowUntil((text) => text.includes('npm test'));
    await keyboard.press('Enter');
    await page.details.waitFor();
    await keyboard.press('F8');
    await eventually(
      () => page.details.innerText(),
      (text) => /what happened/i.test(text),
    );
    await keyboard.press('Escape');
    await page.details.waitFor({ state: 'hidden' });
    await page.filter.fill('');
    await keyboard.press('Enter'); // closes the suggestions
    await page.total((count) => count === run.records().length);
    await keyboard.press('End');
    await page.activeRowUntil((text) => text.includes(run.records().at(-1)!.message.replaceAll('`', '').slice(0, 20)));
  });

  it('explains a problem and links to its evidence', async () => {
    const problem = run.records({ kinds: ['diagnosis'] }).find(({ logger }) => logger === 'failed-turn')!;
    await open({ seq: problem.seq });
    await page.details.waitFor();
    for (const heading of ['What happened', 'Why', 'What to do', 'Evidence']) {
      await page.details.getByRole('heading', { name: heading }).waitFor();
    }
    await page.details.getByRole('button', { name: 'Restart' }).waitFor();
    await workbench.screenshot('explorer-problem');
    await page.details.locator('.evidence button').first().click();
    await page.details.getByRole('heading', { name: 'Why' }).waitFor({ state: 'hidden' });
    await page.details.getByText('Record', { exact: true }).waitFor();
  });

  it('sets the filter aside for a record that it hides', async () => {
    const [hidden] = run.records().filter(({ message }) => message === 'Run the tests.');
    await open({ query: 'level:error' });
    const errors = await page.total((count) => count > 0 && count < run.records().length);
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id, seq: hidden!.seq });
    await page.activeRowUntil((text) => text.endsWith('Run the tests.'));
    await page.button('Back to Filter').click();
    assert.equal(await page.total((count) => count === errors), errors);
    assert.equal(await page.filter.inputValue(), 'level:error');
  });

  it('copies the message of the selected record, and says how long nothing came before a record', async () => {
    const uri = vscode.Uri.joinPath(folder, 'gap.ndjson');
    const record = (minute: number, msg: string): string =>
      `${JSON.stringify({ time: new Date(1_760_000_000_000 + minute * 60_000).toISOString(), level: 'info', msg })}\n`;
    writeFileSync(uri.fsPath, record(0, 'first') + record(0, 'second') + record(14, 'third'));
    await vscode.commands.executeCommand('vscode.openWith', uri, 'agentLogs.explorerEditor');
    await page.ready();
    await page.total((count) => count === 3);
    await page.grid.focus();
    await workbench.page.keyboard.press('End');
    await page.activeRowUntil((text) => text.includes('third') && text.includes('14 min later'));
    await workbench.page.keyboard.press('Control+C');
    await copied((text) => text === 'third');
  });

  it('shows hostile records as text', async () => {
    const uri = vscode.Uri.joinPath(folder, 'hostile.ndjson');
    const messages = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '\u001b[31mred\u001b[0m \u202ereversed \u200bhidden',
      '" data-vscode-context=\'{"webviewSection":"record","seq":1}\' x="',
      'x'.repeat(5_000_000),
    ];
    writeFileSync(
      uri.fsPath,
      messages.map((msg) => `${JSON.stringify({ level: 'info', msg, data: { msg } })}\n`).join(''),
    );
    await vscode.commands.executeCommand('vscode.openWith', uri, 'agentLogs.explorerEditor');
    await page.ready();
    const frame = await page.frame();
    await frame.evaluate('globalThis.broken = 0; addEventListener("securitypolicyviolation", () => broken++)');
    await page.total((count) => count === messages.length);
    await page.grid.focus();
    const { keyboard } = workbench.page;
    await keyboard.press('g');
    await keyboard.press('Enter');
    await page.details.getByText('<img src=x').first().waitFor();
    await keyboard.press('j');
    await page.details.getByText('red \\u202ereversed \\u200bhidden').first().waitFor();
    for (let record = 3; record <= messages.length; record++) await keyboard.press('j');
    await page.details.getByText('more characters').first().waitFor();
    assert.deepEqual(await frame.evaluate('[broken, document.querySelectorAll("img").length]'), [0, 0]);
    await workbench.screenshot('explorer-hostile');
  });

  it('has nothing that axe-core objects to', async () => {
    const problem = run.records({ kinds: ['diagnosis'] }).find(({ logger }) => logger === 'failed-turn')!;
    await open({ seq: problem.seq });
    await page.details.getByRole('heading', { name: 'Evidence' }).waitFor();
    assert.deepEqual(await page.violationsInThemes(), []);
  });
});
