import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { agentLogs, execute } from '../support';
import { poll } from '../waiting';
import { Workbench } from '../workbench';
import { readFacts } from './facts';
import { assertInstalled } from './installed';

describe('The new version after an upgrade', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.connect();
    await execute('agentLogs.sessions.focus');
  });

  it('keeps the settings', () => {
    assertInstalled();
    const settings = vscode.workspace.getConfiguration('agentLogs');
    assert.equal(settings.inspect('level')?.globalValue, 'debug');
    assert.deepEqual(settings.inspect('agents')?.globalValue, { Mine: { command: 'my-agent' } });
  });

  it('lists both past runs, and reads the one that was stopped', async () => {
    const { kept, records } = readFacts();
    for (const file of kept) assert.ok(existsSync(file), file);
    await workbench.expandTreeRow('Past Runs');
    const rows = await workbench.treeRowsUntil((all) => all.filter(({ level }) => level === 2).length === 2);
    for (const { label } of rows.filter(({ level }) => level === 2)) assert.match(label, /^Sample Agent\b/);

    const journal = kept.find((file) => file.includes('globalStorage')) ?? '';
    const past = await (await agentLogs()).open(vscode.Uri.file(journal));
    await poll(() => past.state).until((state) => state === 'ended');
    assert.deepEqual(
      past.records().map(({ level, message }) => `${level} ${message}`),
      records,
    );
    assert.equal(past.termination?.terminatedBy, 'client');
  });
});
