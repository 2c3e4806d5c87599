import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { ExplorerPage } from '../explorerPage';
import { agentLogs, fake, inWindow, temporaryFolder } from '../support';
import type { Workbench } from '../workbench';

/** A window that runs tests can't be reloaded; only the VS Code from npm has a second one. */
const isNpm = vscode.env.uiKind === vscode.UIKind.Web;

describe('In the window: the Log Explorer after a reload', () => {
  const workbench = inWindow({ 'Reloaded Agent': fake('bookshop') });
  const folder = temporaryFolder();
  let other: Workbench | undefined;
  let run: Run;

  before(async () => {
    run = await (await agentLogs()).start('Reloaded Agent');
    await run.prompt(await run.newSession(), 'Run the tests.');
    await run.stop();
  });

  after(() => other?.page.close());

  const what = 'has its run, filter, selected record and details again';
  it(isNpm ? what : 'only the VS Code from npm has a second window: nothing is tried here', async () => {
    if (!isNpm) return;
    const window = (other = await workbench.openWindow(folder));
    const page = new ExplorerPage(window);
    const { label } = await window.pastRun('Reloaded Agent');
    await window.chooseFromTreeMenu(label, 'Open Log Explorer');
    await page.ready();
    const all = await page.total((count) => count > 0);
    // It opens at its problem, which is selected a little later.
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.filter.fill('level:warning');
    const some = await page.total((count) => count > 0 && count < all);
    await page.grid.focus();
    await window.page.keyboard.press('g');
    await window.page.keyboard.press('Enter');
    await page.details.getByText('Record', { exact: true }).waitFor();
    const [{ seq, message } = assert.fail('nothing went wrong')] = run.records({ minLevel: 'warning' });
    const row = await page.activeRowUntil((text) => text.includes(message));

    // Nothing can be saved while the page unloads. Another record was selected before.
    await window.page.evaluate(`(${whenSaved})(/q=level%3Awarning&seq=${seq}&open=1/)`);
    await window.page.reload();
    await window.page.locator('.monaco-workbench').waitFor();
    await page.ready();
    assert.equal(await page.total((count) => count === some), some);
    assert.equal(await page.filter.inputValue(), 'level:warning');
    await page.activeRowUntil((text) => text === row);
    await page.details.getByText('Record', { exact: true }).waitFor();
  });
});

/**
 * Runs in the window: waits until the state that VS Code has saved matches. VS Code in a browser saves when the window loses the
 * focus, which it keeps while it's driven; otherwise it would wait until it's idle.
 */
const whenSaved = `async (state) => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const focus = (type, hasFocus) => {
    document.hasFocus = () => hasFocus;
    dispatchEvent(new Event(type));
  };
  for (;;) {
    focus('blur', false);
    focus('focus', true);
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        const values = await done(database.transaction(table).objectStore(table).getAll());
        if (values.some((value) => typeof value === 'string' && state.test(value))) return;
      }
      database.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}`;
