import * as assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { writeDatabase } from '../support/databases';
import { sampleFolders } from '../support/savedSamples';
import { ExplorerPage } from './explorerPage';
import { takeInThemes } from './pictures';
import { agentLogs, configure, endAll, recordOf, showNoSavedSessions, showSavedSessions } from './support';
import type { TreeRow } from './workbench';
import { Workbench } from './workbench';

const view = 'Sessions';
const group = 'On This Machine';
const title = 'Parser tests';
const main = '.claude/projects/PROJECT/0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11.jsonl';

/** Where agents save sessions, by sample; PROJECT is the workspace's folder as Claude Code writes it. */
const places: Readonly<Record<string, string>> = {
  'claude-failed.jsonl': '.claude/projects/-home-me-other/0c5f0f0e-0000-4000-8000-000000000002.jsonl',
  'codex-tools.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-35-01a20285-8ad1-7621-822c-2b296e55f00b.jsonl',
  'codex-401.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-38-01a20285-9548-7473-a9f4-ba9391a0f1b8.jsonl',
  'gemini-tools.jsonl': '.gemini/tmp/project/chats/session-2026-11-22T09-14-1148885d.jsonl',
  'copilot-terminal.jsonl': '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90/events.jsonl',
  'claude-subagent.jsonl': main.replace('.jsonl', '/subagents/agent-a5846a52bc74da133.jsonl'),
  'claude-terminal.jsonl': main,
};

describe('In the window: sessions that other agents saved', () => {
  let workbench: Workbench;
  let home: string;
  let workspace: string;
  /** The label of a session without a login. */
  let failed: string;
  const session = (): string => join(home, placed(main));
  const database = (): string => join(home, '.local/share/opencode/opencode.db');

  before(async () => {
    workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    makeHome();
    workbench = await Workbench.connect();
    await agentLogs();
    await showSavedSessions(sampleFolders(home));
  });

  after(async () => {
    await showNoSavedSessions();
    await endAll();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  function placed(place: string): string {
    return place.replace('PROJECT', () => workspace.replace(/[^A-Za-z0-9]/g, '-'));
  }

  function makeHome(): void {
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    for (const [index, [name, place]] of Object.entries(places).entries()) {
      const path = join(home, placed(place));
      mkdirSync(dirname(path), { recursive: true });
      cpSync(join(extensionPath, 'test', 'fixtures', 'saved', name), path);
      if (place.startsWith('.claude/projects/PROJECT')) {
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replaceAll('/home/me/project', () => workspace),
        );
      }
      const at = new Date(Date.now() - (10 - index) * 3_600_000);
      utimesSync(path, at, at);
    }
  }

  function rowsUntil(fits: (rows: readonly TreeRow[]) => boolean): Promise<TreeRow[]> {
    return workbench.treeRowsUntil(view, fits);
  }

  const labelsAt = (rows: readonly TreeRow[], level: number): string[] =>
    rows.filter((row) => row.level === level).map(({ label }) => label);

  it('are in a group, by agent, the one with the newest session first', async () => {
    await rowsUntil((rows) => rows.some(({ label, expanded }) => label === group && expanded === false));
    await workbench.expandTreeRow(view, group);
    const rows = await rowsUntil((all) => all.some(({ label }) => label === 'Gemini CLI'));
    const agents = rows.slice(rows.findIndex(({ label }) => label === group)).filter(({ level }) => level === 2);
    assert.deepEqual(
      agents.map(({ label }) => label),
      ['Gemini CLI', 'Codex', 'Copilot CLI', 'Claude Code'],
    );
    assert.match(agents[3]?.description ?? '', /^2 sessions · /);
  });

  it("list this workspace's sessions first, and all of them after one click", async () => {
    await workbench.expandTreeRow(view, 'Claude Code');
    const rows = await rowsUntil((all) => all.some(({ label }) => label === 'Show All Folders'));
    assert.deepEqual(labelsAt(rows, 3), [title, 'Show All Folders']);
    await workbench.clickTreeRow(view, 'Show All Folders');
    const all = await rowsUntil((now) => !now.some(({ label }) => label === 'Show All Folders'));
    assert.equal(labelsAt(all, 3).length, 2);
    assert.equal(labelsAt(all, 3)[0], title);
    await workbench.expandTreeRow(view, 'Codex');
    // Claude Code has a failed session, too.
    const failedOf = (now: readonly TreeRow[]): TreeRow | undefined => {
      const below = now.slice(now.findIndex(({ label }) => label === 'Codex') + 1);
      const next = below.findIndex(({ level }) => level < 3);
      const own = next < 0 ? below : below.slice(0, next);
      return own.find(({ description }) => description.startsWith('not logged in · failed · '));
    };
    failed = failedOf(await rowsUntil((now) => failedOf(now) !== undefined))!.label;
    await takeInThemes(workbench, 'saved-1-list');
  });

  it('open in the explorer, with subagents below them and failures diagnosed', async () => {
    await workbench.clickTreeRow(view, title);
    const page = await new ExplorerPage(workbench).ready();
    await page.total((total) => total > 5);
    const run = (await agentLogs()).runs.find(({ name }) => name === title)!;
    assert.ok(run.sessions.some(({ parent }) => parent !== undefined));
    await workbench.expandTreeRow(view, title);
    await rowsUntil((rows) => rows.some(({ level, label }) => level === 4 && label === 'Find all TODOs.'));
    await workbench.screenshot('saved-2-opened');

    await workbench.clickTreeRow(view, failed);
    await page.ready();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.match(await page.details.innerText(), /log in|login|key/i);
    await workbench.screenshot('saved-3-diagnosed');
  });

  it('are followed while they grow', async () => {
    const run = (await agentLogs()).runs.find(({ name }) => name === title)!;
    const line = {
      parentUuid: 'u1',
      isSidechain: false,
      type: 'user',
      message: { role: 'user', content: 'And once more, please.' },
      uuid: 'u999',
      timestamp: new Date().toISOString(),
      cwd: workspace,
      sessionId: '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11',
      version: '2.1.330',
    };
    appendFileSync(session(), `${JSON.stringify(line)}\n`);
    await recordOf(run, ({ message }) => message === 'And once more, please.');
    await rowsUntil((rows) => rows.some(({ label, description }) => label === title && /now|\ds/.test(description)));
  });

  it('are searched all at once, and a hit opens the explorer at its record', async () => {
    await workbench.runCommand('Agent Logs: Search All Sessions…');
    await workbench.filterQuickInput('once more, please');
    await workbench.quickPickRowsUntil((rows) =>
      rows.some(({ description }) => description === 'And once more, please.'),
    );
    await workbench.screenshot('saved-4-search-one');
    await workbench.filterQuickInput('tests');
    await workbench.quickPickRowsUntil((rows) => rows.length > 3);
    await workbench.page.locator('.quick-input-title', { hasText: / results?$/ }).waitFor();
    await takeInThemes(workbench, 'saved-5-search');
    await workbench.filterQuickInput('"Four lines."');
    await workbench.quickPickRowsUntil((rows) => rows.length === 2 && rows[1]?.description === 'Four lines.');
    await workbench.page.keyboard.press('Enter');
    const page = await new ExplorerPage(workbench).ready();
    await page.activeRowUntil((row) => row.includes('Four lines.'));
    await workbench.screenshot('saved-6-search-opened');
    const picking = vscode.commands.executeCommand('agentLogs.searchSessions', { query: 'kind:diagnosis level:error' });
    await workbench.page.locator('.quick-input-title', { hasText: /[1-9]\d* results?$/ }).waitFor();
    await workbench.screenshot('saved-7-search-query');
    await workbench.page.keyboard.press('Escape');
    assert.equal(await picking, undefined);
  });

  it('are not read when the setting is off', async () => {
    await configure('savedSessions.show', false);
    await rowsUntil((rows) => !rows.some(({ label }) => label === group));
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('agentLogs.openSavedSession', { agent: 'codex', sessionId: 'a' })),
      /savedSessions\.show/,
    );
    await configure('savedSessions.show', true);
    await rowsUntil((rows) => rows.some(({ label }) => label === group));
  });

  it('are kept before their agent deletes them, and stay when it has', async () => {
    const old = new Date(Date.now() - 29 * 86_400_000);
    utimesSync(session(), old, old);
    await workbench.expandTreeRow(view, group);
    await rowsUntil((rows) => rows.some(({ label }) => label === 'Claude Code'));
    await workbench.expandTreeRow(view, 'Claude Code');
    const offer = '1 session will be deleted within 3 days';
    await rowsUntil((all) => all.some(({ label }) => label === offer));
    await workbench.dragSideBar(300);
    await takeInThemes(workbench, 'saved-7-expiring');
    await workbench.clickTreeRow(view, offer);
    const offered = await workbench.quickPickRows();
    assert.ok(offered.some(({ label }) => label.includes(title)));
    await workbench.screenshot('saved-8-keep');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await rowsUntil((all) => !all.some(({ label }) => label === offer));

    rmSync(session());
    const kept = await rowsUntil((all) => all.some((row) => row.label === title && /\bkept\b/.test(row.description)));
    assert.equal(kept.filter(({ label }) => label === title).length, 1, 'though the original is open');
    await takeInThemes(workbench, 'saved-9-kept');
    assert.ok((await workbench.treeMenu(view, title)).includes('Delete Kept Copy…'));
    await workbench.clickTreeRow(view, title);
    await (await new ExplorerPage(workbench).ready()).total((total) => total > 5);
  });

  it('of a database open with their turns, and are followed', async () => {
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    mkdirSync(dirname(database()), { recursive: true });
    writeDatabase(database(), readFileSync(join(extensionPath, 'test', 'fixtures', 'saved', 'opencode-2.sql'), 'utf8'));
    await configure('savedSessions.show', false);
    await rowsUntil((rows) => !rows.some(({ label }) => label === group));
    await configure('savedSessions.show', true);
    await rowsUntil((rows) => rows.some(({ label }) => label === group));
    await workbench.expandTreeRow(view, group);
    await rowsUntil((rows) => rows.some(({ label }) => label === 'OpenCode'));
    await workbench.expandTreeRow(view, 'OpenCode');
    const isSession = ({ level, description }: TreeRow): boolean => level === 3 && description !== '';
    const rows = await rowsUntil((all) => all.some(isSession));
    // The page of another session would be ready, too.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await workbench.clickTreeRow(view, rows.find(isSession)!.label);
    const page = await new ExplorerPage(workbench).ready();
    await page.total((total) => total > 3);
    await page.locator('[role=tab]').filter({ hasText: 'Turns' }).click();
    await page.locator('[role=treegrid] [role=row]').nth(1).waitFor();
    assert.deepEqual(await page.violations(), []);
    const at = Date.now();
    const data = JSON.stringify({ time: { created: at }, text: 'Now in the database.', files: [] });
    writeDatabase(
      database(),
      `INSERT INTO session_message (id, session_id, type, seq, time_created, time_updated, data)
         SELECT 'msg_later', id, 'user', 900, ${at}, ${at}, '${data}'
           FROM session_v2 WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1`,
    );
    await page.locator('[role=tab]').filter({ hasText: 'Log' }).click();
    await page.grid.getByText('Now in the database.').first().waitFor();
  });
});
