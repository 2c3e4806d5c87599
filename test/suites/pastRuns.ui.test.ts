import * as assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, copied, endAll, ended, fake, withModals } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';

describe('In the window: past runs', () => {
  let workbench: Workbench;
  let live: Run;
  let folder: string;

  before(async () => {
    workbench = await Workbench.connect();
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    await configureAgents({ Crashes: fake('crashesInTurn') });
    live = await (await agentLogs()).start('Crashes');
    await assert.rejects(live.prompt(await live.newSession(), 'go'));
    await ended(live);
    await vscode.commands.executeCommand('agentLogs.removeRun', live.id);
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
  });

  after(async () => {
    await endAll();
    await configureAgents({});
    rmSync(folder, { recursive: true, force: true });
  });

  it('show how they ended, expand to what was shown live, and open at their problem', async () => {
    await workbench.runCommand('Agent Logs: Open Past Run…');
    // The picker replaces the palette.
    const [row] = await workbench.quickPickRowsUntil(([first]) => first?.label === 'Crashes');
    assert.match(row?.detail ?? '', /exited with code 7/);
    await workbench.screenshot('past-1-picker');
    await workbench.pick('Crashes');
    const past = await eventually(
      async () => (await agentLogs()).runs[0],
      (run) => run?.state === 'ended',
    );
    assert.ok(past);
    assert.deepEqual(
      past.records().map(({ level, message }) => [level, message]),
      live.records().map(({ level, message }) => [level, message]),
    );
    assert.deepEqual(past.termination, live.termination);
    await workbench.expandTreeRow(view, 'Connection');
    const rows = await workbench.treeRowsUntil(view, (all) => all.some(({ level }) => level === 4));
    assert.deepEqual(
      rows.slice(0, 2).map(({ label }) => label),
      ['Crashes', 'Past Runs'],
    );
    assert.match(rows[2]?.description ?? '', /^exit 7 · /);
    await workbench.screenshot('past-2-tree');
    await workbench.clickTreeRow(view, rows[2]?.label ?? '');
    const page = await new ExplorerPage(workbench).ready();
    const card = page.locator('.end-card');
    await card.getByRole('button', { name: 'Restart' }).waitFor();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.deepEqual(await page.violations(), []);
    await card.getByRole('button', { name: 'Copy Report' }).click();
    const report = await copied((text) => text.includes('Crashes'));
    assert.match(
      report,
      /\d\d:\d\d:\d\d(?:\.\d+)? (?:UTC|GMT|[+-]\d\d:?\d\d)|[+-]\d\d:\d\d\b/,
      'local time with its zone',
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('show their output as a document and can be exported', async () => {
    const past = (await agentLogs()).runs[0]!;
    await vscode.commands.executeCommand('agentLogs.showOutput', past.id);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /\[error\] \[agent\] exited with code 7/);
    assert.match(text, /Crashes failed\./);
    await workbench.screenshot('past-3-output');
    const uri = vscode.Uri.file(join(folder, 'out.ndjson'));
    await vscode.commands.executeCommand('agentLogs.export', { runId: past.id, uri, format: 'jsonl' });
    const lines = readFileSync(uri.fsPath, 'utf8').trimEnd().split('\n');
    assert.equal((JSON.parse(lines.at(-1) ?? '') as { termination: { exit_code: number } }).termination.exit_code, 7);
    const trace = vscode.Uri.file(join(folder, 'trace.json'));
    await vscode.commands.executeCommand('agentLogs.exportTrace', { runId: past.id, uri: trace, format: 'chrome' });
    assert.match(readFileSync(trace.fsPath, 'utf8'), /"cat":"turn"/);
  });

  it('show more at a lower level, and reject commands for live agents', async () => {
    const past = (await agentLogs()).runs[0]!;
    assert.deepEqual(await past.setLevel('debug'), { shown: true, agent: 'unsupported', channel: false });
    assert.equal(past.level, 'debug');
    await assert.rejects(past.newSession(), /Past runs are read-only/);
  });

  it("collapse when they are removed, and aren't read again until expanded", async () => {
    const api = await agentLogs();
    const past = api.runs[0]!;
    await vscode.commands.executeCommand('agentLogs.removeRun', past.id);
    await workbench.treeRowsUntil(
      view,
      (rows) => rows.length > 2 && rows.every(({ level, expanded }) => level < 2 || expanded === false),
    );
    assert.deepEqual(api.runs, []);
    await vscode.commands.executeCommand('agentLogs.showTermination', past.id);
    await eventually(
      () => Promise.resolve(api.runs),
      ([run]) => run?.state === 'ended',
    );
  });

  it('ask before their journal is deleted, and keep it if the user cancels', async () => {
    const past = (await agentLogs()).runs[0]!;
    const path = past.journal!.fsPath;
    const row = (await workbench.treeRows(view)).find(({ description }) => description.startsWith('exit 7'))!;
    const asked = await withModals(undefined, async (questions) => {
      await workbench.chooseFromTreeMenu(view, row.label, 'Delete Journal');
      return eventually(
        () => Promise.resolve(questions),
        ({ length }) => length > 0,
      );
    });
    assert.deepEqual(asked, ['Delete the journal of Crashes?']);
    assert.ok(existsSync(path));
  });

  it('disappear with their journal', async () => {
    const past = (await agentLogs()).runs[0]!;
    const path = past.journal!.fsPath;
    assert.ok(existsSync(path));
    await vscode.commands.executeCommand('agentLogs.deleteJournal', past.id);
    assert.equal(existsSync(path), false);
    assert.deepEqual((await agentLogs()).runs, []);
  });
});
