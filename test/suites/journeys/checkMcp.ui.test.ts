import * as assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, execute, fake, temporaryFolder, withEnvironment } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

interface CheckUp {
  readonly servers: readonly { readonly name: string; readonly ok: boolean; readonly source: string }[];
}

describe('A journey: a check-up of MCP servers', () => {
  const journey = Journey.ofSuite('9-checkMcp');
  const { workbench } = journey;
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = join(folder, '.mcp.json');
  // Not the developer's own servers.
  const own = temporaryFolder();
  withEnvironment({ HOME: own, USERPROFILE: own });

  after(() => rmSync(file, { force: true }));

  beforeEach(async () => {
    await execute('notifications.clearAll');
    await execute('workbench.action.closeAllEditors');
  });

  function configure(servers: Readonly<Record<string, object>>): void {
    writeFileSync(file, JSON.stringify({ mcpServers: servers }, undefined, 2));
  }

  /** The rendered report, once it is shown, and has the text. */
  async function report(part: string): Promise<FrameLocator> {
    const page = workbench.webview();
    await poll(() => page.locator('body').innerText()).until((text) => text.includes(part));
    return page;
  }

  it('says that there are none, which is no error', async () => {
    configure({});
    assert.equal(await execute('agentLogs.checkMcpServers'), undefined);
    const none = journey.t('No MCP servers found in the settings of clients on this machine.');
    await workbench.notified(none);
    assert.equal(await workbench.notification(none).locator('.codicon-info').count(), 1);
    await journey.picture('none', 'fleeting');
  });

  it('shows a server that fails first, and what is wrong with the tools of the others', async () => {
    configure({
      notes: fake('mcp-checked', 'awkward'),
      prices: fake('mcp-checked', 'exits'),
      orders: fake('mcp-checked', 'pages'),
    });
    await journey.command('Check MCP Servers');
    const page = await report('NOTES_TOKEN is not set');
    assert.equal(
      await page.locator('h1').innerText(),
      journey.t('MCP servers: {0} checked, {1} failed; errors: {2}, warnings: {3}', 3, 1, 6, 2),
    );
    assert.deepEqual(await page.locator('h2').allInnerTexts(), ['prices', 'notes', 'orders']);
    assert.ok((await page.locator('code').allInnerTexts()).includes('with.dots'));
    // Nothing in it could load anything.
    assert.equal(await page.locator('script, img, link, iframe, [src], [href]:not([href^="command:"])').count(), 0);
    await journey.picture('report', 'text');
    await page.getByRole('link', { name: `${file}:3` }).click();
    await poll(() => {
      const { document, selection } = vscode.window.activeTextEditor ?? {};
      return document?.fileName === file && document.lineAt(selection?.active.line ?? 0).text.trim();
    }).until((line) => line === '"notes": {');
  });

  it('reads a server that is running from its recording, with its past calls', async () => {
    const server = fake('mcp-checked', 'plain');
    configure({ notes: server });
    await configureAgents({ notes: { ...server, protocol: 'mcp' } });
    const run = await (await agentLogs()).start('notes');
    await run.callTool('echo', {});
    await assert.rejects(run.callTool('refuse', {}));
    // Its tools are listed for a choice.
    const choosing = execute('agentLogs.callTool', { runId: run.id });
    await workbench.quickPickRows();
    await workbench.page.keyboard.press('Escape');
    await choosing;
    const result = await execute<CheckUp>('agentLogs.checkMcpServers');
    assert.deepEqual(
      result.servers.map(({ name, ok, source }) => [name, ok, source]),
      [['notes', true, 'running']],
    );
    const page = await report('refuse');
    assert.match(await page.locator('li li', { hasText: 'refuse' }).innerText(), /refuse .*1.*1.*0/);
    await journey.picture('running', 'text');
    const copied = await execute<string>('agentLogs.copyReport', run.id);
    assert.match(copied, /MCP servers: 1 checked, 0 failed/);
  });
});
