import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentLogs, endAll, fake, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';
const row = 'Watched MCP Servers';

describe('In the window: watching MCP servers of other clients', () => {
  let workbench: Workbench;
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
    workbench = await Workbench.connect();
    mkdirSync(join(folder, '.codex'), { recursive: true });
    // What suites before this one left may take the focus, which closes pickers.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    await workbench.page.locator('.part.sidebar:focus-within').waitFor();
  });

  beforeEach(() => {
    writeFileSync(json, jsonText);
    writeFileSync(toml, tomlText);
  });

  after(async () => {
    rmSync(json, { force: true });
    rmSync(join(folder, '.codex'), { recursive: true, force: true });
    await endAll();
  });

  /** Chooses servers, up to the question. */
  async function choose(...names: readonly string[]): Promise<{ readonly watching: Thenable<unknown> }> {
    const watching = vscode.commands.executeCommand('agentLogs.watchMcpServers');
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
    const stopping = vscode.commands.executeCommand('agentLogs.stopWatchingMcpServers');
    await confirm();
    return stopping;
  }

  async function confirm(): Promise<void> {
    await workbench.quickPickRows();
    await workbench.page.keyboard.press('Enter');
    await workbench.answerNotification('Restore the commands', 'Restore');
  }

  function diffs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff);
  }

  async function noDiffs(): Promise<void> {
    await eventually(
      () => Promise.resolve(diffs()),
      (shown) => shown.length === 0,
    );
  }

  it('lists them by client and file, and shows what would change', async () => {
    const { watching } = await choose('shop-notes', 'shop-remote', 'shop-prices');
    // A remote server changes nothing.
    await eventually(
      () => Promise.resolve(diffs()),
      (shown) => shown.length === 2,
    );
    await workbench.screenshot('watchMcp-2-review');
    assert.equal(readFileSync(json, 'utf8'), jsonText, 'nothing before it is confirmed');
    await workbench.answerNotification('through the Agent Logs tap', 'Cancel');
    assert.deepEqual(await watching, []);
    await noDiffs();
    assert.equal(readFileSync(json, 'utf8'), jsonText);
    assert.equal(readFileSync(toml, 'utf8'), tomlText);
  });

  it('shows their traffic as runs, leaves an entry that was changed by hand, and gives back every other byte', async () => {
    await watch('shop-notes', 'shop-prices');
    await noDiffs();
    const found = await eventually(
      async () => (await workbench.treeRows(view)).find(({ label }) => label === row),
      (one) => one !== undefined,
    );
    assert.equal(found?.description, 'shop-notes, shop-prices');
    assert.ok((await workbench.notifications()).some((text) => text.includes('Claude Code, Codex')));
    await startAsClient();
    await workbench.screenshot('watchMcp-3-run');
    const watched = readFileSync(json, 'utf8').replace('// of the whole team', '// of the team');
    const byHand = watched.replace('"--protocol", "mcp"', '"--level", "debug"');
    writeFileSync(json, byHand);
    assert.deepEqual(await stop(), ['shop-prices']);
    assert.equal(readFileSync(json, 'utf8'), byHand);
    assert.equal(readFileSync(toml, 'utf8'), tomlText);
    await workbench.notified('shop-notes in .mcp.json was changed by hand');
    await workbench.screenshot('watchMcp-4-conflict');
    writeFileSync(json, watched);
    await workbench.clickTreeAction(view, row, 'Stop Watching MCP Servers');
    await confirm();
    await eventually(
      async () => (await workbench.treeRows(view)).map(({ label }) => label),
      (labels) => !labels.includes(row),
    );
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
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a client', version: '1' },
      };
      client.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      const run = await eventually(
        async () => (await agentLogs()).runs.find(({ name }) => name === 'shop-notes'),
        (one) => one !== undefined,
      );
      assert.equal(run?.protocol, 'mcp');
      await recordOf(run, ({ message }) => message.includes('initialize'));
    } finally {
      client.kill();
    }
  }
});
