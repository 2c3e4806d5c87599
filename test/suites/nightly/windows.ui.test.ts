import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, configureAgents, endAll, fake } from '../support';
import { ScreenReader } from '../screenReader';
import { Workbench } from '../workbench';

const view = 'Sessions';

/** In desktop VS Code, a second window is another process; test/unit/runs/twoWindows.test.ts covers what they share. */
const isNpm = vscode.env.uiKind === vscode.UIKind.Web;

describe('In two windows at once', () => {
  let workbench: Workbench;
  let other: Workbench | undefined;
  let folder: string;
  let run: Run;

  before(async () => {
    workbench = await Workbench.connect();
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-window-'));
    await configureAgents({ Elsewhere: fake('setsLevel') });
    run = await (await agentLogs()).start('Elsewhere');
  });

  after(async () => {
    await other?.close();
    await endAll();
    await configureAgents({});
    rmSync(folder, { recursive: true, force: true });
  });

  const what = 'a live run of one is a running one in the other, which leaves its journal alone';
  it(isNpm ? what : 'only the VS Code from npm has a second one: nothing is tried here', async () => {
    if (!isNpm) return;
    other = await workbench.openWindow(folder);
    const second = other;
    const reader = new ScreenReader(second.page, view);
    await second.page.getByRole('tab', { name: 'Agent Logs' }).first().click({ timeout: 60_000 });
    await second.page.getByRole('tree', { name: view, exact: true }).waitFor({ timeout: 60_000 });
    await second.treeRowsUntil(view, (rows) => rows.some(({ label }) => label === 'Past Runs'));
    await second.page.keyboard.press('Home');
    await second.expandTreeRow(view, 'Past Runs');
    const rows = await second.treeRowsUntil(view, (all) => all.some(({ label }) => label.startsWith('Elsewhere')));
    const row = rows.find(({ label }) => label.startsWith('Elsewhere'));
    assert.match(row?.description ?? '', /^running in another window/);
    assert.ok((await reader.saysOfRows()).some((said) => /^Run Elsewhere.*, running in another window/.test(said)));
    await second.screenshot('windows-1-running-elsewhere');

    await second.expandTreeRow(view, row?.label ?? '');
    await second.expandTreeRow(view, row?.label ?? '');
    // Reading it redraws the tree, and VS Code would lose the row of an open menu.
    await second.treeRowsUntil(view, (all) => all.some(({ label }) => label === 'Connection'));
    const menu = await second.treeMenu(view, row?.label ?? '');
    assert.ok(menu.includes('Reveal Journal'), menu.join(', '));
    assert.ok(!menu.includes('Delete Journal'));
    await run.newSession();
    assert.equal(run.state, 'running');
    assert.ok(existsSync(run.journal?.fsPath ?? ''));
    await run.stop();
    await second.treeRowsUntil(view, (all) =>
      all.some(({ label, description }) => label.startsWith('Elsewhere') && !description.includes('running')),
    );
  });
});
