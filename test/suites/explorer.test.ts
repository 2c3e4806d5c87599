import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { bookshopRun, copied, execute, failureOf, inWindow, temporaryFolder } from './support';
import { poll } from './waiting';

// Runs at both ends of the supported range: it drives the page, and nothing of VS Code's own markup.
describe('The Log Explorer', () => {
  const workbench = inWindow();
  const page = new ExplorerPage(workbench);
  const folder = temporaryFolder();
  let run: Run;

  before(async () => void (run = await bookshopRun()));

  beforeEach(() => execute('workbench.action.closeAllEditors'));

  it('works with the keyboard alone', async () => {
    await page.open(run.id);
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
    await poll(() => page.details.innerText()).until((text) => /what happened/i.test(text));
    await keyboard.press('Escape');
    await page.details.waitFor({ state: 'hidden' });
    await page.filter.fill('');
    await keyboard.press('Enter'); // closes the suggestions
    await page.total((count) => count === run.records().length);
    await keyboard.press('End');
    const message = run.records().at(-1)!.message.replaceAll('`', '');
    await page.activeRowUntil((text) => text.includes(message.slice(0, 20)));
    await keyboard.press('Control+C');
    await copied((text) => text === message);
  });

  it('shows hostile records as text', async () => {
    const uri = vscode.Uri.file(join(folder, 'hostile.ndjson'));
    const messages = [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      '\u001b[31mred\u001b[0m \u202ereversed \u200bhidden',
      '" data-vscode-context=\'{"webviewSection":"record","seq":1}\' x="',
      'x'.repeat(5_000_000),
    ];
    const lines = messages.map((msg) => `${JSON.stringify({ level: 'info', msg, data: { msg } })}\n`);
    writeFileSync(uri.fsPath, lines.join(''));
    await execute('vscode.openWith', uri, 'agentLogs.explorerEditor');
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

  it('explains a problem, with nothing that axe-core objects to, and links to its evidence', async () => {
    await page.open(run.id, { seq: failureOf(run) });
    for (const heading of ['What happened', 'Why', 'What to do', 'Evidence']) {
      await page.details.getByRole('heading', { name: heading }).waitFor();
    }
    assert.deepEqual(await page.violationsInThemes(), []);
    await page.details.locator('.evidence button').first().click();
    await page.details.getByRole('heading', { name: 'Why' }).waitFor({ state: 'hidden' });
    await page.details.getByText('Record', { exact: true }).waitFor();
  });
});
