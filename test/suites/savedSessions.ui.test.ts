import * as assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ClaudeLines } from '../support/claudeLines';
import { writeDatabase } from '../support/databases';
import { sampleFolders } from '../support/savedSamples';
import { ExplorerPage } from './explorerPage';
import { takeInThemes } from './pictures';
import { configure, execute, fixture, inWindow, recordOf, runOf, showSavedSessions, temporaryFolder } from './support';
import type { TreeRow } from './workbench';

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
  const workbench = inWindow();
  const home = temporaryFolder();
  const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  /** The label of a session without a login. */
  let failed: string;
  const database = join(home, '.local/share/opencode/opencode.db');

  before(async () => {
    makeHome();
    await showSavedSessions(sampleFolders(home));
  });

  function placed(place: string): string {
    return place.replace('PROJECT', () => workspace.replace(/[^A-Za-z0-9]/g, '-'));
  }

  function makeHome(): void {
    for (const [index, [name, place]] of Object.entries(places).entries()) {
      const path = join(home, placed(place));
      mkdirSync(dirname(path), { recursive: true });
      const text = readFileSync(fixture(`saved/${name}`), 'utf8');
      writeFileSync(path, place.includes('PROJECT') ? text.replaceAll('/home/me/project', () => workspace) : text);
      const at = new Date(Date.now() - (10 - index) * 3_600_000);
      utimesSync(path, at, at);
    }
  }

  const labelsAt = (rows: readonly TreeRow[], level: number): string[] =>
    rows.filter((row) => row.level === level).map(({ label }) => label);

  it('are in a group, by agent, the one with the newest session first', async () => {
    await workbench.expandTreeRow(group);
    const rows = await workbench.treeRowsUntil((all) => all.some(({ label }) => label === 'Gemini CLI'));
    const agents = rows.slice(rows.findIndex(({ label }) => label === group)).filter(({ level }) => level === 2);
    assert.equal(agents.map(({ label }) => label).join(), 'Gemini CLI,Codex,Copilot CLI,Claude Code');
    assert.match(agents[3]?.description ?? '', /^2 sessions · /);
  });

  it("list this workspace's sessions first, and all of them after one click", async () => {
    await workbench.expandTreeRow('Claude Code');
    const rows = await workbench.treeRowsUntil((all) => all.some(({ label }) => label === 'Show All Folders'));
    assert.deepEqual(labelsAt(rows, 3), [title, 'Show All Folders']);
    await workbench.clickTreeRow('Show All Folders');
    const all = await workbench.treeRowsUntil((now) => !now.some(({ label }) => label === 'Show All Folders'));
    assert.equal(labelsAt(all, 3).length, 2);
    assert.equal(labelsAt(all, 3)[0], title);
    await workbench.expandTreeRow('Codex');
    // Claude Code has a failed session, too, which comes later.
    failed = (await workbench.row(({ description }) => description.startsWith('not logged in · failed · '))).label;
    await takeInThemes(workbench, 'saved-1-list');
  });

  it('open in the explorer, with subagents below them and failures diagnosed', async () => {
    await workbench.clickTreeRow(title);
    const page = await new ExplorerPage(workbench).ready();
    await page.total((total) => total > 5);
    const run = (await runOf(title))!;
    assert.ok(run.sessions.some(({ parent }) => parent !== undefined));
    await workbench.expandTreeRow(title);
    await workbench.treeRowsUntil((rows) =>
      rows.some(({ level, label }) => level === 4 && label === 'Find all TODOs.'),
    );

    await workbench.clickTreeRow(failed);
    await page.ready();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.match(await page.details.innerText(), /log in|login|key/i);
  });

  it('are followed while they grow', async () => {
    const run = (await runOf(title))!;
    const lines = new ClaudeLines('0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11');
    const line = lines.prompt('u999', 'And once more, please.', {
      timestamp: new Date().toISOString(),
      cwd: workspace,
    });
    appendFileSync(join(home, placed(main)), `${JSON.stringify(line)}\n`);
    await recordOf(run, ({ message }) => message === 'And once more, please.');
    await workbench.treeRowsUntil((rows) =>
      rows.some(({ label, description }) => label === title && /now|\ds/.test(description)),
    );
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
    const picking = execute('agentLogs.searchSessions', { query: 'kind:diagnosis level:error' });
    await workbench.page.locator('.quick-input-title', { hasText: /[1-9]\d* results?$/ }).waitFor();
    await workbench.screenshot('saved-7-search-query');
    await workbench.page.keyboard.press('Escape');
    assert.equal(await picking, undefined);
  });

  it('are not read when the setting is off', async () => {
    await configure('savedSessions.show', false);
    await workbench.treeRowsUntil((rows) => !rows.some(({ label }) => label === group));
    await assert.rejects(
      execute('agentLogs.openSavedSession', { agent: 'codex', sessionId: 'a' }),
      /savedSessions\.show/,
    );
    await configure('savedSessions.show', true);
    await workbench.treeRowsUntil((rows) => rows.some(({ label }) => label === group));
  });

  it('of a database open with their turns, and are followed', async () => {
    mkdirSync(dirname(database), { recursive: true });
    writeDatabase(database, readFileSync(fixture('saved/opencode-2.sql'), 'utf8'));
    await configure('savedSessions.show', false);
    await workbench.treeRowsUntil((rows) => !rows.some(({ label }) => label === group));
    await configure('savedSessions.show', true);
    await workbench.treeRowsUntil((rows) => rows.some(({ label }) => label === group));
    await workbench.expandTreeRow(group);
    await workbench.treeRowsUntil((rows) => rows.some(({ label }) => label === 'OpenCode'));
    await workbench.expandTreeRow('OpenCode');
    const isSession = ({ level, description }: TreeRow): boolean => level === 3 && description !== '';
    const rows = await workbench.treeRowsUntil((all) => all.some(isSession));
    // The page of another session would be ready, too.
    await execute('workbench.action.closeAllEditors');
    await workbench.clickTreeRow(rows.find(isSession)!.label);
    const page = await new ExplorerPage(workbench).ready();
    await page.total((total) => total > 3);
    await page.locator('[role=tab]').filter({ hasText: 'Turns' }).click();
    await page.locator('[role=treegrid] [role=row]').nth(1).waitFor();
    assert.deepEqual(await page.violations(), []);
    const at = Date.now();
    const data = JSON.stringify({ time: { created: at }, text: 'Now in the database.', files: [] });
    writeDatabase(
      database,
      `INSERT INTO session_message (id, session_id, type, seq, time_created, time_updated, data)
         SELECT 'msg_later', id, 'user', 900, ${at}, ${at}, '${data}'
           FROM session_v2 WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1`,
    );
    await page.locator('[role=tab]').filter({ hasText: 'Log' }).click();
    await page.grid.getByText('Now in the database.').first().waitFor();
  });
});
