import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureUser, endAll, execute } from '../support';

describe('In an untrusted workspace', () => {
  after(endAll);

  it('starts no configured agent, and reports why', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await configureUser('agents', { Own: { command: process.execPath } });
    await assert.rejects((await agentLogs()).start('Own'), /this workspace is not trusted/);
  });

  it("does not read the workspace's own agents", () => {
    const agents = vscode.workspace.getConfiguration('agentLogs').get<Record<string, unknown>>('agents');
    assert.ok(!Object.keys(agents ?? {}).includes('OpenCode'));
  });

  it('starts the built-in sample agent', async () => {
    const run = await (await agentLogs()).start('Sample Agent');
    assert.equal(run.state, 'running');
  });

  it('exports nothing to a collector', async () => {
    const send = execute('agentLogs.exportToOtlp', { url: 'http://127.0.0.1:1' });
    await assert.rejects(Promise.resolve(send), /only in trusted workspaces/);
  });

  it('reads no saved sessions', async () => {
    await configureUser('savedSessions.show', true);
    try {
      const open = execute('agentLogs.openSavedSession', { agent: 'codex', sessionId: 'a' });
      await assert.rejects(Promise.resolve(open), /only in trusted workspaces/);
    } finally {
      await configureUser('savedSessions.show', false);
    }
  });
});
