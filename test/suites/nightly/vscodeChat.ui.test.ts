import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from '../explorerPage';
import { takeInThemes } from '../pictures';
import { agentLogs, configure, endAll, recordOf } from '../support';
import type { TreeRow } from '../workbench';
import { eventually, Workbench } from '../workbench';

const view = 'Sessions';
const group = 'On This Machine';
const agent = 'VS Code Chat';

describe("In the window: VS Code's own chat", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.connect();
    await agentLogs();
    await vscode.extensions.getExtension('agent-logs-test.other')?.activate();
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', false, vscode.ConfigurationTarget.Global);
    await configure('savedSessions.show', true);
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
  });

  after(async () => {
    await configure('savedSessions.show', undefined);
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', true, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await endAll();
  });

  const rowsUntil = (fits: (rows: readonly TreeRow[]) => boolean): Promise<TreeRow[]> =>
    workbench.treeRowsUntil(view, fits);
  const say = (query: string): Thenable<unknown> =>
    vscode.commands.executeCommand('workbench.action.chat.open', {
      query,
      mode: 'ask',
      modelSelector: { vendor: 'agent-logs-test' },
    });

  it('has its sessions in the tree while they are held', async () => {
    await say('@tester hello');
    await rowsUntil((rows) => rows.some(({ label }) => label === group));
    await eventually(
      () => workbench.page.locator('.interactive-session').innerText(),
      (text) => text.includes('Let me see. hello'),
    );
    await workbench.expandTreeRow(view, group);
    // In a browser, VS Code saves every 5 s, but only while its window has the focus. The tree looks every 10 s.
    await eventually(
      async () => {
        await workbench.page.bringToFront();
        return workbench.treeRows(view);
      },
      (rows) => rows.some(({ label }) => label === agent),
    );
    await workbench.expandTreeRow(view, agent);
    await rowsUntil((rows) => rows.some(({ level, label }) => level === 3 && label.includes('hello')));
    await workbench.screenshot('chat-1-listed');
  });

  it('follows a session, says how it ended, and that another request runs', async () => {
    await workbench.clickTreeRow(view, '@tester hello');
    const page = await new ExplorerPage(workbench).ready();
    await page.total((total) => total > 2);
    const run = (await agentLogs()).runs.find(({ name }) => name.includes('hello'))!;
    await recordOf(run, ({ message }) => message.startsWith('Let me see.'));
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('ended after'));
    await takeInThemes(workbench, 'chat-2');
    await say('@tester please fail');
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.includes('Server error: 500'));
    await recordOf(run, ({ kind, message }) => kind === 'diagnosis' && message.includes('500'));
    await workbench.screenshot('chat-3-failed');
    assert.equal(run.sessions.length, 1);
  });

  it('says that a request was cancelled', async () => {
    const run = (await agentLogs()).runs.find(({ name }) => name.includes('hello'))!;
    await say('@tester wait for me');
    await eventually(
      () => workbench.page.locator('.interactive-session').innerText(),
      (text) => text.includes('wait for me'),
    );
    await vscode.commands.executeCommand('workbench.action.chat.cancel');
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('interrupted'));
    await workbench.screenshot('chat-4-cancelled');
  });
});
