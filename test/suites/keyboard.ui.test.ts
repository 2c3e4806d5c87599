import * as assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ScreenReader } from './screenReader';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, endAll, ended, fake } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';

/** Uses only keys, and reads only what the browser exposes to screen readers. */
describe('In the window: by keyboard and screen reader', () => {
  let workbench: Workbench;
  let reader: ScreenReader;
  let crashed: Run;

  before(async () => {
    workbench = await Workbench.connect();
    reader = new ScreenReader(workbench.page, view);
    await configureAgents({ Crashes: fake('crashesInTurn') });
    const api = await agentLogs();
    crashed = await api.start('Crashes');
    await assert.rejects(crashed.prompt(await crashed.newSession(), 'go'));
    await ended(crashed);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  after(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await endAll();
    // The removed run is still a past run, and other suites expect none.
    if (crashed.journal) rmSync(crashed.journal.fsPath, { force: true });
    await configureAgents({});
  });

  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  /** Presses a key until the announcement of the focused row matches. */
  async function pressUntil(key: string, said: RegExp): Promise<string> {
    for (let times = 0; times < 20; times++) {
      const name = await reader.saysOfFocused();
      if (said.test(name)) return name;
      await press(key);
      await eventually(
        () => reader.saysOfFocused(),
        (next) => next !== name,
      );
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
    await workbench.treeRowsUntil(view, (rows) => rows.length > 0);
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
    assert.ok(
      rows.every((name) => !name.includes(' · ')),
      rows.join('\n'),
    );
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
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await press('F8');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.equal(await reader.hasFocus(), true);
    await workbench.screenshot('keyboard-1-problem');
  });

  it('announces a picker, answers it with keys, and returns the focus', async () => {
    await workbench.runCommandByKeys('Agent Logs: Set Log Level…');
    await workbench.page.locator('.quick-input-title', { hasText: 'Select an agent to set its log level' }).waitFor();
    const input = workbench.page.locator('.quick-input-widget .quick-input-box input');
    await eventually(
      async () => (await workbench.quickPickRows()).map(({ label }) => label.trim()),
      (labels) => labels.includes('Crashes'),
    );
    assert.match((await input.getAttribute('aria-label')) ?? '', /Type to filter|Select an agent to set its log level/);
    await workbench.page.keyboard.type('Crashes');
    await press('Enter');
    await eventually(
      async () => (await workbench.quickPickRows()).map(({ label }) => label.trim()),
      (labels) => labels.includes('emergency'),
    );
    const active = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
    assert.match((await active.getAttribute('aria-label')) ?? '', /info.*current.*What the agent does/);
    await press('ArrowDown');
    await eventually(
      async () => (await active.getAttribute('aria-label')) ?? '',
      (label) => label.includes('notice'),
    );
    await workbench.screenshot('keyboard-2-picker');
    await press('Escape');
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await eventually(
      () => reader.hasFocus(),
      (has) => has,
    );
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
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await press('Home');
    await pressUntil('ArrowDown', /^Agent Crashes/);
    await press('Delete');
    await eventually(
      async () => (await agentLogs()).runs.map(({ id }) => id),
      (ids) => !ids.includes(crashed.id),
    );
  });
});
