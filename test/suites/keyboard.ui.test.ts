import * as assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Run } from '../../api/agent-logs';
import { ScreenReader } from './screenReader';
import { ExplorerPage } from './explorerPage';
import { agentLogs, crashedRun, execute, fake, inWindow } from './support';
import { eventually, poll } from './waiting';

/** Uses only keys, and reads only what the browser exposes to screen readers. */
describe('In the window: by keyboard and screen reader', () => {
  const workbench = inWindow({ Crashes: fake('crashesInTurn') });
  const reader = new ScreenReader(workbench);
  let crashed: Run;

  before(async () => {
    crashed = await crashedRun();
  });

  // The removed run is still a past run, and other suites expect none.
  after(() => rmSync(crashed.journal!.fsPath, { force: true }));

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  /** Presses a key until the announcement of the focused row matches. */
  async function pressUntil(key: string, said: RegExp): Promise<string> {
    for (let times = 0; times < 20; times++) {
      const name = await reader.saysOfFocused();
      if (said.test(name)) return name;
      await press(key);
      await poll(() => reader.saysOfFocused()).until((next) => next !== name);
    }
    throw new Error(`No row is announced as ${said}.`);
  }

  /** Expands the focused row, and waits until it's announced and has rows below it. */
  async function unfold(): Promise<void> {
    const row = reader.focusedRow;
    if ((await row.getAttribute('aria-expanded')) === 'false') await press('ArrowRight');
    await row.and(workbench.page.locator('[aria-expanded="true"]')).waitFor();
    const below = Number(await row.getAttribute('aria-level')) + 1;
    await workbench.page.locator(`[role="treeitem"][aria-level="${below}"]`).first().waitFor();
  }

  it('reaches the view from the palette, and announces each row', async () => {
    await workbench.runCommandByKeys('Agent Logs: Focus on Sessions View');
    await workbench.treeRowsUntil((rows) => rows.length > 0);
    await press('Home');
    // It has one run, which its row shows.
    assert.match(
      await pressUntil('ArrowDown', /^Agent Crashes/),
      /^Agent Crashes, exit 7, ".+", Started: \d\d:\d\d:\d\d, Level: info$/,
    );
    await unfold();
    assert.match(
      await pressUntil('ArrowDown', /^Connection/),
      /^Connection, .*\d errors?, \d+ records(, \d+ below info)?, .*highest level: error$/,
    );
    await unfold();
    const record = await pressUntil('ArrowDown', /diagnosis/);
    assert.match(record, /^error, diagnosis, Exited with code 7 .*, \d\d:\d\d:\d\d$/);
  });

  it('announces what Chromium exposes to screen readers', async () => {
    const rows = await reader.saysOfRows();
    assert.ok(rows.includes(await reader.saysOfFocused()), rows.join('\n'));
    assert.doesNotMatch(rows.join('\n'), / · /);
  });

  it('opens a record with Enter and keeps the focus', async () => {
    const said = await reader.saysOfFocused();
    await press('Enter');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'Agent exited unexpectedly' }).waitFor();
    assert.equal(await reader.saysOfFocused(), said);
    assert.equal(await reader.hasFocus(), true);
  });

  it('goes to the next problem with a key', async () => {
    await execute('workbench.action.closeAllEditors');
    await execute('agentLogs.sessions.focus');
    await press('F8');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.equal(await reader.hasFocus(), true);
  });

  it('announces a picker, answers it with keys, and returns the focus', async () => {
    await workbench.runCommandByKeys('Agent Logs: Set Log Level…');
    await workbench.asks('Select an agent to set its log level');
    const input = workbench.page.locator('.quick-input-widget .quick-input-box input');
    await poll(async () => (await workbench.quickPickRows()).map(({ label }) => label.trim())).until((labels) =>
      labels.includes('Crashes'),
    );
    assert.match((await input.getAttribute('aria-label')) ?? '', /Type to filter|Select an agent to set its log level/);
    await workbench.page.keyboard.type('Crashes');
    await press('Enter');
    await poll(async () => (await workbench.quickPickRows()).map(({ label }) => label.trim())).until((labels) =>
      labels.includes('emergency'),
    );
    const active = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
    assert.match((await active.getAttribute('aria-label')) ?? '', /info.*current.*What the agent does/);
    await press('ArrowDown');
    await poll(async () => (await active.getAttribute('aria-label')) ?? '').until((label) => label.includes('notice'));
    await press('Escape');
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await eventually(() => reader.hasFocus());
  });

  it('announces the status bar item and its action', async () => {
    assert.match(await workbench.statusBarText('agentLogs.status'), /^Crashes: exit 7/);
    const label = await workbench.statusBarItem('agentLogs.status').locator('a').first().getAttribute('aria-label');
    assert.match(label ?? '', /^Agent Logs, Crashes: exit 7.*, info, .*Click to open the problem$/);
  });

  it('removes a run with Delete, and reports an error on other rows', async () => {
    await press('Home');
    await pressUntil('ArrowDown', /diagnosis/);
    await press('Delete');
    await workbench.notified('Only runs that have ended can be removed.');
    await execute('notifications.clearAll');
    await execute('agentLogs.sessions.focus');
    await press('Home');
    await pressUntil('ArrowDown', /^Agent Crashes/);
    await press('Delete');
    await poll(async () => (await agentLogs()).runs.map(({ id }) => id)).until((ids) => !ids.includes(crashed.id));
  });
});
