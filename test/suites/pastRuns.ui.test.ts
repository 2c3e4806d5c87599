import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, copied, crashedRun, execute, fake, inWindow, temporaryFolder, withModals } from './support';
import { poll } from './waiting';

describe('In the window: past runs', () => {
  const workbench = inWindow({ Crashes: fake('crashesInTurn') });
  let live: Run;
  const folder = temporaryFolder();

  before(async () => {
    live = await crashedRun();
    await execute('agentLogs.removeRun', live.id);
  });

  it('show how they ended, expand to what was shown live, and open at their problem', async () => {
    await workbench.runCommand('Agent Logs: Open Past Run…');
    // The picker replaces the palette.
    const [row] = await workbench.quickPickRowsUntil(([first]) => first?.label === 'Crashes');
    assert.match(row?.detail ?? '', /exited with code 7/);
    await workbench.pick('Crashes');
    const past = await poll(async () => (await agentLogs()).runs[0]).until((run) => run?.state === 'ended');
    assert.ok(past);
    const shown = (run: Run): string[] => run.records().map(({ level, message }) => `${level} ${message}`);
    assert.deepEqual(shown(past), shown(live));
    assert.deepEqual(past.termination, live.termination);
    // It is revealed, unless its row is redrawn just then.
    const [, , pastRow] = await workbench.treeRowsUntil((all) => /^exit 7 · /.test(all[2]?.description ?? ''));
    await workbench.expandTreeRow(pastRow?.label ?? '');
    await workbench.expandTreeRow('Connection');
    const rows = await workbench.treeRowsUntil((all) => all.some(({ level }) => level === 4));
    assert.deepEqual([rows[0]?.label, rows[1]?.label], ['Crashes', 'Past Runs']);
    assert.match(rows[2]?.description ?? '', /^exit 7 · /);
    await workbench.clickTreeRow(rows[2]?.label ?? '');
    const page = await new ExplorerPage(workbench).ready();
    const card = page.locator('.end-card');
    await card.getByRole('button', { name: 'Restart' }).waitFor();
    await page.details.getByRole('heading', { name: 'What happened' }).waitFor();
    assert.deepEqual(await page.violations(), []);
    await card.getByRole('button', { name: 'Copy Report' }).click();
    const report = await copied((text) => text.includes('Crashes'));
    const timeWithZone = /\d\d:\d\d:\d\d(?:\.\d+)? (?:UTC|GMT|[+-]\d\d:?\d\d)|[+-]\d\d:\d\d\b/;
    assert.match(report, timeWithZone);
  });

  it('show their output as a document and can be exported', async () => {
    const past = (await agentLogs()).runs[0]!;
    await execute('agentLogs.showOutput', past.id);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /\[error\] \[agent\] exited with code 7/);
    assert.match(text, /Crashes failed\./);
    const uri = vscode.Uri.file(join(folder, 'out.ndjson'));
    await execute('agentLogs.export', { runId: past.id, uri, format: 'jsonl' });
    const lines = readFileSync(uri.fsPath, 'utf8').trimEnd().split('\n');
    assert.equal((JSON.parse(lines.at(-1) ?? '') as { termination: { exit_code: number } }).termination.exit_code, 7);
    const trace = vscode.Uri.file(join(folder, 'trace.json'));
    await execute('agentLogs.exportTrace', { runId: past.id, uri: trace, format: 'chrome' });
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
    await execute('agentLogs.removeRun', past.id);
    await workbench.treeRowsUntil(
      (rows) => rows.length > 2 && rows.every(({ level, expanded }) => level < 2 || expanded === false),
    );
    assert.deepEqual(api.runs, []);
    await execute('agentLogs.showTermination', past.id);
    await poll(() => api.runs).until(([run]) => run?.state === 'ended');
  });

  it('ask before their journal is deleted, keep it if the user cancels, and disappear with it', async () => {
    const past = (await agentLogs()).runs[0]!;
    const path = past.journal!.fsPath;
    const row = await workbench.row(({ description }) => description.startsWith('exit 7'));
    const asked = await withModals(undefined, async (questions) => {
      await workbench.chooseFromTreeMenu(row.label, 'Delete Journal');
      return poll(() => questions).until(({ length }) => length > 0);
    });
    assert.deepEqual(asked, ['Delete the journal of Crashes?']);
    assert.ok(existsSync(path));
    await execute('agentLogs.deleteJournal', past.id);
    assert.equal(existsSync(path), false);
    assert.deepEqual((await agentLogs()).runs, []);
  });
});
