import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { execute, fake, inWindow, recordOf, runOf } from './support';
import { eventually, poll } from './waiting';

const row = 'Watched MCP Servers';

describe('In the window: watching MCP servers of other clients', () => {
  const workbench = inWindow();
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const json = join(folder, '.mcp.json');
  const toml = join(folder, '.codex', 'config.toml');
  const { command, args, env } = fake('mcp-form');
  const jsonText = `{
  // of the whole team
  "mcpServers": {
    "shop-notes": {
      "command": ${JSON.stringify(command)},
      "args": [
        ${JSON.stringify(args[0])}, // the server
      ],
      "env": ${JSON.stringify(env)},
    },
    "shop-remote": { "type": "http", "url": "https://shop.example/mcp" },
  },
}
`;
  const tomlText = `model = "m"\r\n\r\n[mcp_servers.shop-prices] # prices\r\ncommand = 'prices'\r\n`;

  before(async () => {
    mkdirSync(join(folder, '.codex'), { recursive: true });
    await workbench.page.locator('.part.sidebar:focus-within').waitFor();
  });

  beforeEach(() => {
    writeFileSync(json, jsonText);
    writeFileSync(toml, tomlText);
  });

  after(() => {
    rmSync(json, { force: true });
    rmSync(join(folder, '.codex'), { recursive: true, force: true });
  });

  /** Chooses servers, up to the question. */
  async function choose(...names: readonly string[]): Promise<{ readonly watching: Promise<unknown> }> {
    const watching = execute('agentLogs.watchMcpServers');
    await workbench.page.locator('.quick-input-widget').getByText('Watch MCP Servers', { exact: true }).waitFor();
    await workbench.quickPickRows();
    for (const name of names) await workbench.pick(name);
    await workbench.screenshot(`watchMcp-1-pick-${names.length}`);
    await workbench.page.keyboard.press('Enter');
    return { watching };
  }

  async function watch(...names: readonly string[]): Promise<void> {
    const { watching } = await choose(...names);
    const reminder = workbench.page.locator('.statusbar-item').filter({ hasText: 'through the Agent Logs tap' });
    await reminder.waitFor();
    await workbench.answerNotification('through the Agent Logs tap', 'Watch');
    assert.deepEqual(await watching, names);
    await reminder.waitFor({ state: 'detached' });
  }

  /** Restores all servers that are watched. @returns the names of those that were */
  async function stop(): Promise<unknown> {
    const stopping = execute('agentLogs.stopWatchingMcpServers');
    await confirm();
    return stopping;
  }

  async function confirm(): Promise<void> {
    await workbench.quickPickRows();
    await workbench.page.keyboard.press('Enter');
    await workbench.answerNotification('Restore the commands', 'Restore');
  }

  async function untilDiffs(count: number): Promise<void> {
    const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const diffs = (): object[] => tabs().filter(({ input }) => input instanceof vscode.TabInputTextDiff);
    await poll(diffs).until(({ length }) => length === count);
  }

  it('lists them by client and file, and shows what would change', async () => {
    const { watching } = await choose('shop-notes', 'shop-remote', 'shop-prices');
    // A remote server changes nothing.
    await untilDiffs(2);
    await workbench.screenshot('watchMcp-2-review');
    assert.equal(readFileSync(json, 'utf8'), jsonText, 'nothing before it is confirmed');
    await workbench.answerNotification('through the Agent Logs tap', 'Cancel');
    assert.deepEqual(await watching, []);
    await untilDiffs(0);
    assert.equal(readFileSync(json, 'utf8'), jsonText);
    assert.equal(readFileSync(toml, 'utf8'), tomlText);
  });

  it('shows their traffic as runs, leaves an entry that was changed by hand, and gives back every other byte', async () => {
    await watch('shop-notes', 'shop-prices');
    await untilDiffs(0);
    await workbench.row(({ label, description }) => label === row && description === 'shop-notes, shop-prices');
    assert.ok((await workbench.notifications()).some((text) => text.includes('Claude Code, Codex')));
    await startAsClient();
    const watched = readFileSync(json, 'utf8').replace('// of the whole team', '// of the team');
    const byHand = watched.replace('"--protocol", "mcp"', '"--level", "debug"');
    writeFileSync(json, byHand);
    assert.deepEqual(await stop(), ['shop-prices']);
    assert.equal(readFileSync(json, 'utf8'), byHand);
    assert.equal(readFileSync(toml, 'utf8'), tomlText);
    await workbench.notified('shop-notes in .mcp.json was changed by hand');
    await workbench.screenshot('watchMcp-4-conflict');
    writeFileSync(json, watched);
    await workbench.clickTreeAction(row, 'Stop Watching MCP Servers');
    await confirm();
    await workbench.treeRowsUntil((rows) => !rows.some(({ label }) => label === row));
    assert.equal(readFileSync(json, 'utf8'), jsonText.replace('// of the whole team', '// of the team'));
    assert.equal(readFileSync(toml, 'utf8'), tomlText);
  });

  /** Starts the server with the command that is in the file now, as Claude Code would. */
  async function startAsClient(): Promise<void> {
    const [, program = '', list = ''] =
      /"shop-notes": \{\s+"command": (".*"),\s+"args": \[([^\]]*)/.exec(readFileSync(json, 'utf8')) ?? [];
    const words = [program, ...(list.match(/"(?:[^"\\]|\\.)*"/g) ?? [])].map((word) => JSON.parse(word) as string);
    const [first = '', ...others] = words;
    const client = spawn(first, others, { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' });
    try {
      const clientInfo = { name: 'a client', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      client.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      const run = await eventually(() => runOf('shop-notes'));
      assert.equal(run.protocol, 'mcp');
      await recordOf(run, ({ message }) => message.includes('initialize'));
    } finally {
      client.kill();
    }
  }
});
