import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerPage } from '../explorerPage';
import { takeInThemes } from '../pictures';
import { agentLogs, configure, execute, inWindow, recordOf } from '../support';
import { poll } from '../waiting';

const group = 'On This Machine';
const agent = 'VS Code Chat';

describe("In the window: VS Code's own chat", () => {
  const workbench = inWindow();

  before(async () => {
    await vscode.extensions.getExtension('agent-logs-test.other')?.activate();
    await disableChat(false);
    await configure('savedSessions.show', true);
  });

  after(async () => {
    await disableChat(true);
    await execute('workbench.action.closeAuxiliaryBar');
  });

  async function disableChat(isDisabled: boolean): Promise<void> {
    const settings = vscode.workspace.getConfiguration('chat');
    await settings.update('disableAIFeatures', isDisabled, vscode.ConfigurationTarget.Global);
  }

  const say = (query: string): Promise<unknown> =>
    execute('workbench.action.chat.open', { query, mode: 'ask', modelSelector: { vendor: 'agent-logs-test' } });

  it('has its sessions in the tree while they are held', async () => {
    await say('@tester hello');
    await workbench.treeRowsUntil((rows) => rows.some(({ label }) => label === group));
    await poll(() => workbench.page.locator('.interactive-session').innerText()).until((text) =>
      text.includes('Let me see. hello'),
    );
    await workbench.expandTreeRow(group);
    // In a browser, VS Code saves every 5 s, but only while its window has the focus. The tree looks every 10 s.
    await poll(async () => {
      await workbench.page.bringToFront();
      return workbench.treeRows();
    }).until((rows) => rows.some(({ label }) => label === agent));
    await workbench.expandTreeRow(agent);
    await workbench.treeRowsUntil((rows) => rows.some(({ level, label }) => level === 3 && label.includes('hello')));
    await workbench.screenshot('chat-1-listed');
  });

  it('follows a session, says how it ended, and that another request runs', async () => {
    await workbench.clickTreeRow('@tester hello');
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
    await poll(() => workbench.page.locator('.interactive-session').innerText()).until((text) =>
      text.includes('wait for me'),
    );
    await execute('workbench.action.chat.cancel');
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('interrupted'));
    await workbench.screenshot('chat-4-cancelled');
  });
});
