import * as assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeDatabase } from '../support/databases';
import { makeSamples, sampleFolders } from '../support/savedSamples';
import { ExplorerPage } from './explorerPage';
import { takeInThemes } from './pictures';
import { agentLogs, endAll, showNoSavedSessions, showSavedSessions } from './support';
import type { TreeRow } from './workbench';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';
const group = 'On This Machine';
const showAll = 'Show All Folders';
/** Width of a narrow side bar, in pixels. */
const narrow = 300;

/** A form of files and one of a database, whose sessions grow here. What other agents saved is read in unit tests. */
const rooms = { kimi: 'Kimi Code', opencode: 'OpenCode' } as const;

const kimiMain =
  '.kimi-code/sessions/wd_project_291264d9e4b8/session_85ff7f61-1a60-4b3a-8eb5-f211e1055273/agents/main/wire.jsonl';
const later = 'And once more, please.';

/** How agents add a prompt to the session that is opened here, their newest. */
const grow: Readonly<Record<keyof typeof rooms, (home: string) => void>> = {
  kimi: (home) => {
    const prompt = {
      type: 'turn.prompt',
      agentId: 'main',
      input: [{ type: 'text', text: later }],
      origin: { kind: 'user' },
      promptId: 'msg_later',
      turnId: 1,
      time: Date.now(),
    };
    appendFileSync(join(home, kimiMain), `${JSON.stringify(prompt)}\n`);
  },
  opencode: (home) => {
    const at = Date.now();
    const data = JSON.stringify({ time: { created: at }, text: later, files: [] });
    writeDatabase(
      join(home, '.local/share/opencode/opencode.db'),
      `INSERT INTO session_message (id, session_id, type, seq, time_created, time_updated, data)
         SELECT 'msg_later', id, 'user', 900, ${at}, ${at}, '${data}'
           FROM session_v2 WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1`,
    );
  },
};

describe('In the window: the sessions of each agent on this machine', () => {
  let workbench: Workbench;
  let home: string;
  let usualEdge: number;

  before(async () => {
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    makeSamples(home, join(extensionPath, 'test', 'fixtures', 'saved'));
    workbench = await Workbench.connect();
    await agentLogs();
    await showSavedSessions(sampleFolders(home));
    usualEdge = await workbench.dragSideBar(narrow);
  });

  after(async () => {
    await workbench.dragSideBar(usualEdge);
    await showNoSavedSessions();
    await endAll();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    await workbench.disconnect();
  });

  function rowsUntil(fits: (rows: readonly TreeRow[]) => boolean): Promise<TreeRow[]> {
    return workbench.treeRowsUntil(view, fits);
  }

  it('are listed at the width of a narrow side bar', async () => {
    await rowsUntil((rows) => rows.some(({ label, expanded }) => label === group && expanded === false));
    await workbench.expandTreeRow(view, group);
    const names = Object.values(rooms);
    await rowsUntil((rows) => names.every((name) => rows.some(({ label }) => label === name)));
    await takeInThemes(workbench, 'rooms-list');
  });

  for (const agent of ['kimi', 'opencode'] as const) {
    const name = rooms[agent];
    it(`of ${name} are in its group, open with their turns, and are followed`, async () => {
      await workbench.expandTreeRow(view, name);
      const unfolded = await rowsUntil((rows) => rows.some(({ level }) => level === 3));
      if (unfolded.some(({ label }) => label === showAll)) await workbench.clickTreeRow(view, showAll);
      const rows = await rowsUntil((all) => all.some(({ level, label }) => level === 3 && label !== showAll));
      const title = rows.find(({ level }) => level === 3)!.label;
      await workbench.clickTreeRow(view, title);
      const page = await new ExplorerPage(workbench).ready();
      await page.total((total) => total > 3);
      await takeInThemes(workbench, `rooms-${agent}-log`);
      await page.locator('[role=tab]').filter({ hasText: 'Turns' }).click();
      const spans = page.locator('[role=treegrid] [role=row]');
      await eventually(
        () => spans.count(),
        (count) => count > 1,
      );
      await takeInThemes(workbench, `rooms-${agent}-turns`);
      assert.deepEqual(await page.violations(), []);
      grow[agent](home);
      await page.locator('[role=tab]').filter({ hasText: 'Log' }).click();
      await page.grid.getByText(later).first().waitFor();
      await workbench.screenshot(`rooms-${agent}-grown`);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await workbench.collapseTreeRow(view, name);
    });
  }
});
