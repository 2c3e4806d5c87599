import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { savers } from '../../../src/agents/agents';
import { makeManySessions } from '../../support/manySessions';
import { takeInThemes } from '../pictures';
import { execute, inWindow, showSavedSessions, temporaryFolder } from '../support';
import type { TreeRow } from '../workbench';
import { eventually } from '../waiting';

const group = 'On This Machine';

describe('In the window: 10,000 saved sessions', () => {
  const workbench = inWindow();
  const home = temporaryFolder();

  before(async () => {
    makeManySessions(home, { count: 10_000, now: Date.now() - 180_000 });
    await showSavedSessions({
      ...Object.fromEntries(savers.map(({ id }) => [id, join(home, 'none')])),
      claude: join(home, '.claude'),
      codex: join(home, '.codex'),
    });
  });

  after(() => execute('agentLogs.showAllSessions'));

  const row = (rows: readonly TreeRow[], label: string): TreeRow | undefined => rows.find((one) => one.label === label);
  const sessionsIn = (rows: readonly TreeRow[]): readonly TreeRow[] => rows.filter(({ level }) => level === 3);

  it('are a group per agent that says how many there are and how new', async () => {
    await workbench.expandTreeRow(group);
    const rows = await workbench.treeRowsUntil((all) => row(all, 'Claude Code') !== undefined);
    for (const agent of ['Claude Code', 'Codex']) {
      assert.match(row(rows, agent)?.description ?? '', /^5,000 sessions · \d+ min ago$/);
    }
    const label = await workbench.treeRow('Codex').getAttribute('aria-label');
    assert.match(label ?? '', /^Saved sessions of Codex, 5,000 sessions, \d+ min ago/);
  });

  it('say in the tooltip of an agent what they used', async () => {
    const hover = workbench.page.locator('.workbench-hover-container');
    const tooltip = hover.filter({ hasText: /Last 7 days: at least 1\.1M tokens/ });
    // VS Code closes it if the row is drawn again.
    await eventually(async () => {
      await workbench.page.mouse.move(700, 400);
      await workbench.treeRow('Codex').hover();
      return tooltip.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
    await workbench.screenshot('many-1-tooltip');
  });

  it('are listed in pages, while the window answers', async () => {
    await workbench.expandTreeRow('Codex');
    await workbench.treeRowsUntil((rows) => sessionsIn(rows).length > 0);
    const began = performance.now();
    await execute('agentLogs.filterSessions', { filter: 'outcome:failed' });
    assert.ok(performance.now() - began < 10_000);
  });

  it('are filtered: the group says by what, the agent how many are left', async () => {
    const rows = await workbench.treeRowsUntil(
      (all) =>
        /^50\+ of 5,000 sessions · /.test(row(all, 'Codex')?.description ?? '') &&
        row(all, group)?.description === 'only outcome:failed',
    );
    assert.ok(sessionsIn(rows).every(({ description }) => description.includes(' · failed · ')));
    await takeInThemes(workbench, 'many-2-filtered');
    await workbench.dragSideBar(348);
    await workbench.screenshot('many-3-filtered-narrow');
    await workbench.clickTreeAction(group, 'Show All Sessions');
    await workbench.treeRowsUntil((all) => /^5,000 sessions/.test(row(all, 'Codex')?.description ?? ''));
  });

  it('are filtered with a picker that completes what the sessions have', async () => {
    await workbench.clickTreeAction(group, 'Filter Saved Sessions…');
    await workbench.quickPickRowsUntil((rows) => rows.length === 4);
    await workbench.screenshot('many-4-picker');
    await workbench.filterQuickInput('model:opus folder:project2');
    await workbench.quickPickRowsUntil((rows) => rows.length > 1);
    await workbench.screenshot('many-5-picker-completes');
    await workbench.page.keyboard.press('Enter');
    await workbench.treeRowsUntil((all) => row(all, group)?.description === 'only model:opus folder:project2');
    await workbench.expandTreeRow('Claude Code');
    await workbench.treeRowsUntil((all) =>
      sessionsIn(all).some(({ description }) => description.includes('claude-opus')),
    );
    await workbench.screenshot('many-6-by-model');
  });

  it('say how far they were looked through if few fit', async () => {
    await execute('agentLogs.filterSessions', { filter: 'agent:claude needle model:haiku step' });
    const older = await workbench.row(({ label }) => label === 'Show Older Sessions');
    assert.match(older.description, /^2,\d\d\d of 5,000 looked through$/);
    await workbench.screenshot('many-7-looked-through');
  });
});
