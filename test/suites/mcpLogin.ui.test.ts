import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { McpHttpServer } from '../support/mcpHttpServer';
import { OAuthServer } from '../support/oauthServer';
import { agentLogs, configureAgents, execute, inWindow, runOf } from './support';
import { rowsBelow } from './rows';
import { eventually } from './waiting';

/** The desktop asks the operating system for its own address, which leads to the VS Code that is installed. */
const isNpm = vscode.env.uiKind === vscode.UIKind.Web;

describe('In the window: the login to an MCP server', () => {
  const workbench = inWindow();
  let server: McpHttpServer | undefined;
  const oauth = new OAuthServer();
  const { openExternal } = vscode.env;
  let opened = 0;

  before(async function () {
    if (!isNpm) this.skip();
    server = await McpHttpServer.start({ oauth });
    await configureAgents({ Weather: { protocol: 'mcp', url: server.url } });
    Object.assign(vscode.env, { openExternal: visit });
  });

  after(async () => {
    Object.assign(vscode.env, { openExternal });
    await server?.close();
  });

  /** A user who logs in at once: the browser goes to where the login page leads back. */
  async function visit(page: unknown): Promise<boolean> {
    opened++;
    const response = await fetch(String(page), { redirect: 'manual' });
    const tab = await workbench.page.context().newPage();
    await tab.goto(response.headers.get('location') ?? '');
    await tab.close();
    return true;
  }

  /** Of the agent, or below it: agents of other suites may still be listed. */
  async function untilRow(begins: string): Promise<void> {
    await workbench.treeRowsUntil((rows) => {
      const own = [...rows.filter(({ label }) => label === 'Weather'), ...rowsBelow(rows, 'Weather')];
      return own.some(({ description }) => description.startsWith(begins));
    });
  }

  async function start(): Promise<string> {
    return (await (await agentLogs()).start('Weather')).id;
  }

  it('is missing at first: the row says so, and nothing is opened', async () => {
    await assert.rejects(start(), /requires you to log in/);
    await untilRow('not logged in');
    assert.equal(opened, 0);
  });

  it('is made from the row, and connects', async () => {
    await workbench.clickTreeAction('Weather', 'Log In…');
    await untilRow('running');
    assert.equal(opened, 1);
    await (await runOf('Weather'))?.callTool('work', {});
    await workbench.screenshot('mcpLogin-2-connected');
  });

  it('survives a restart', async () => {
    await execute('agentLogs.restart', await start());
    await untilRow('running');
    assert.equal(opened, 1);
  });

  it('leaves no token in the log, the journal or the output', async () => {
    const { runs } = await agentLogs();
    const [token = ''] = oauth.tokens.keys();
    assert.match(token, /^access-/);
    for (const run of runs) {
      assert.ok(!JSON.stringify(run.records()).includes(token));
      const journal = run.journal === undefined ? '' : await vscode.workspace.fs.readFile(run.journal);
      assert.ok(!Buffer.from(journal).toString().includes(token));
    }
  });

  it('is deleted from the menu of the row, which disconnects', async () => {
    await workbench.chooseFromTreeMenu('Weather', 'Log Out…');
    await eventually(async () => (await agentLogs()).runs.every(({ state }) => state === 'ended'));
    await assert.rejects(start(), /requires you to log in/);
    await untilRow('not logged in');
    await workbench.screenshot('mcpLogin-3-out');
  });
});
