import * as assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, fake } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout, showSaved } from './journey';

const agent = 'Price Agent';

/** Where agents save sessions, by sample. */
const places = {
  'codex-401.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-38-01a20285-9548-7473-a9f4-ba9391a0f1b8.jsonl',
  'codex-tools.jsonl':
    '.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-35-01a20285-8ad1-7621-822c-2b296e55f00b.jsonl',
  'claude-failed.jsonl': '.claude/projects/-home-me-other/0c5f0f0e-0000-4000-8000-000000000002.jsonl',
} as const;

describe('A journey: what happened before', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let home: string;

  before(async () => {
    journey = await Journey.begin('7-past');
    home = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));
    const { extensionPath } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    for (const [name, place] of Object.entries(places)) {
      mkdirSync(dirname(join(home, place)), { recursive: true });
      cpSync(join(extensionPath, 'test', 'fixtures', 'saved', name), join(home, place));
    }
    await showSaved({ codex: join(home, '.codex'), claude: join(home, '.claude') });
    await configureAgents({ [agent]: fake('bookshop') });
    const run = await (await agentLogs()).start(agent);
    await run.prompt(await run.newSession(), 'Round the school discount once.');
    await assert.rejects(run.prompt(await run.newSession(), 'Crash on the way.'));
    await eventually(
      () => Promise.resolve(run.state),
      (state) => state === 'ended',
    );
    await vscode.commands.executeCommand('agentLogs.removeRun', run.id);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    await journey.end();
    await showSaved(undefined);
    rmSync(home, { recursive: true, force: true });
  });

  it('opens a past run at its problem, below how it ended', async () => {
    const { page, workbench } = journey;
    const group = journey.t('Past Runs');
    await journey.row(({ label }) => label === group);
    await workbench.expandTreeRow(journey.view, group);
    const past = await journey.row(({ label, level }) => level === 2 && label.startsWith(agent));
    await journey.picture('past-runs', 'tree');
    await journey.clickRow(past.label);
    await page.ready();
    const card = page.locator('.end-card');
    await card.getByRole('button', { name: journey.t('Restart') }).waitFor();
    await page.details.getByRole('heading', { name: journey.t('What happened') }).waitFor();
    await journey.explorerPicture('end');
    await card.getByRole('button', { name: journey.t('Copy Report') }).click();
    const report = await eventually(
      () => Promise.resolve(vscode.env.clipboard.readText()),
      (text) => text.includes(agent),
    );
    assert.match(
      report,
      /\d\d:\d\d:\d\d(?:\.\d+)? (?:UTC|GMT|[+-]\d\d:?\d\d)|[+-]\d\d:\d\d\b/,
      'local time with its zone',
    );
  });

  it('opens a saved session at its problem', async () => {
    const { page, workbench } = journey;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const group = journey.t('On This Machine');
    await journey.row(({ label }) => label === group);
    await workbench.expandTreeRow(journey.view, group);
    await journey.row(({ label }) => label === 'Codex');
    await workbench.expandTreeRow(journey.view, 'Codex');
    const failed = await journey.row(({ description }) => description.includes(` · ${journey.t('failed')}`));
    await journey.picture('saved', 'tree');
    await journey.clickRow(failed.label);
    await page.ready();
    await page.details.getByRole('heading', { name: journey.t('What happened') }).waitFor();
    await journey.explorerPicture('saved-problem');
  });

  it('sees no violation in a follow-up that comes by itself', async () => {
    const { extensionUri } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
    const background = vscode.Uri.joinPath(extensionUri, 'test', 'fixtures', 'acp', 'claude-v1-background.ndjson');
    const run = await (await agentLogs()).open(background);
    await vscode.commands.executeCommand('agentLogs.openExplorer', { runId: run.id });
    await journey.page.ready();
    await journey.page.total((total) => total > 5);
    assert.deepEqual(run.records({ kinds: ['diagnosis'] }), []);
    await journey.explorerPicture('background');
  });
});
