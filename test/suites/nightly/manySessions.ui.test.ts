import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { savers } from '../../../src/agents/agents';
import { makeManySessions } from '../../support/manySessions';
import { takeInThemes } from '../pictures';
import { agentLogs, endAll, showNoSavedSessions, showSavedSessions } from '../support';
import type { TreeRow } from '../workbench';
import { eventually, Workbench } from '../workbench';

const view = 'Sessions';
const group = 'On This Machine';

describe('In the window: 10,000 saved sessions', () => {
  let workbench: Workbench;
  let home: string;

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    makeManySessions(home, { count: 10_000, now: Date.now() - 180_000 });
    workbench = await Workbench.connect();
    await agentLogs();
    await showSavedSessions({
      ...Object.fromEntries(savers.map(({ id }) => [id, join(home, 'none')])),
      claude: join(home, '.claude'),
      codex: join(home, '.codex'),
    });
  });

  after(async () => {
    await vscode.commands.executeCommand('agentLogs.showAllSessions');
    await showNoSavedSessions();
    await endAll();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  function rowsUntil(fits: (rows: readonly TreeRow[]) => boolean): Promise<TreeRow[]> {
    return workbench.treeRowsUntil(view, fits);
  }

  const row = (rows: readonly TreeRow[], label: string): TreeRow | undefined => rows.find((one) => one.label === label);
  const sessionsIn = (rows: readonly TreeRow[]): readonly TreeRow[] => rows.filter(({ level }) => level === 3);

  it('are a group per agent that says how many there are and how new', async () => {
    await workbench.expandTreeRow(view, group);
    const rows = await rowsUntil((all) => row(all, 'Claude Code') !== undefined);
    for (const agent of ['Claude Code', 'Codex']) {
      assert.match(row(rows, agent)?.description ?? '', /^5,000 sessions · \d+ min ago$/);
    }
    const label = await workbench.treeRow(view, 'Codex').getAttribute('aria-label');
    assert.match(label ?? '', /^Saved sessions of Codex, 5,000 sessions, \d+ min ago/);
  });

  it('say in the tooltip of an agent what they used', async () => {
    const hover = workbench.page.locator('.workbench-hover-container');
    const tooltip = hover.filter({ hasText: /Last 7 days: at least 1\.1M tokens/ });
    // VS Code closes it if the row is drawn again.
    await eventually(
      async () => {
        await workbench.page.mouse.move(700, 400);
        await workbench.treeRow(view, 'Codex').hover();
        return tooltip.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      },
      (isShown) => isShown,
    );
    await workbench.screenshot('many-1-tooltip');
  });

  it('are listed in pages, while the window answers', async () => {
    await workbench.expandTreeRow(view, 'Codex');
    await rowsUntil((rows) => sessionsIn(rows).length > 0);
    const began = performance.now();
    await vscode.commands.executeCommand('agentLogs.filterSessions', { filter: 'outcome:failed' });
    assert.ok(performance.now() - began < 10_000);
  });

  it('are filtered: the group says by what, the agent how many are left', async () => {
    const rows = await rowsUntil(
      (all) =>
        /^50\+ of 5,000 sessions · /.test(row(all, 'Codex')?.description ?? '') &&
        row(all, group)?.description === 'only outcome:failed',
    );
    assert.ok(sessionsIn(rows).every(({ description }) => description.includes(' · failed · ')));
    await takeInThemes(workbench, 'many-2-filtered');
    await workbench.dragSideBar(348);
    await workbench.screenshot('many-3-filtered-narrow');
    await workbench.clickTreeAction(view, group, 'Show All Sessions');
    await rowsUntil((all) => /^5,000 sessions/.test(row(all, 'Codex')?.description ?? ''));
  });

  it('are filtered with a picker that completes what the sessions have', async () => {
    await workbench.clickTreeAction(view, group, 'Filter Saved Sessions…');
    await workbench.quickPickRowsUntil((rows) => rows.length === 4);
    await workbench.screenshot('many-4-picker');
    await workbench.filterQuickInput('model:opus folder:project2');
    await workbench.quickPickRowsUntil((rows) => rows.length > 1);
    await workbench.screenshot('many-5-picker-completes');
    await workbench.page.keyboard.press('Enter');
    await rowsUntil((all) => row(all, group)?.description === 'only model:opus folder:project2');
    await workbench.expandTreeRow(view, 'Claude Code');
    await rowsUntil((all) => sessionsIn(all).some(({ description }) => description.includes('claude-opus')));
    await workbench.screenshot('many-6-by-model');
  });

  it('say how far they were looked through if few fit', async () => {
    await vscode.commands.executeCommand('agentLogs.filterSessions', {
      filter: 'agent:claude needle model:haiku step',
    });
    const rows = await rowsUntil((all) => row(all, 'Show Older Sessions') !== undefined);
    assert.match(row(rows, 'Show Older Sessions')?.description ?? '', /^2,\d\d\d of 5,000 looked through$/);
    await workbench.screenshot('many-7-looked-through');
  });
});
