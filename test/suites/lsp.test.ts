import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { agentLogs, configure, configureAgents, endAll, fake, fixture, recordOf, withAgents } from './support';

describe('A language server', () => {
  /** A new name for each test, because levels are remembered by agent name. */
  let name: string;
  let tests = 0;
  let shown: string[];
  let rejections: unknown[];
  /** Ignores unhandled rejections of VS Code's own extensions, such as for a missing ripgrep. */
  const noteRejection = (error: unknown): void => {
    if (error instanceof Error && error.stack?.includes(fixture('../../dist'))) rejections.push(error);
  };
  const show = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const;
  const originals = show.map((method) => vscode.window[method]);

  withAgents();

  before(() => {
    for (const method of show) {
      const shows = (text: string): Promise<undefined> => {
        shown.push(text);
        return Promise.resolve(undefined);
      };
      Object.defineProperty(vscode.window, method, { value: shows, configurable: true, writable: true });
    }
  });

  beforeEach(() => {
    name = `Language Server ${++tests}`;
    shown = [];
    rejections = [];
    process.on('unhandledRejection', noteRejection);
  });

  afterEach(async () => {
    await endAll();
    process.off('unhandledRejection', noteRejection);
    assert.deepEqual(rejections, []);
  });

  after(() => {
    for (const [index, method] of show.entries()) {
      Object.defineProperty(vscode.window, method, { value: originals[index], configurable: true, writable: true });
    }
  });

  async function start(server: ReturnType<typeof fake>, more: object = {}): Promise<Run> {
    await configureAgents({ [name]: { ...server, protocol: 'lsp', ...more } });
    return (await agentLogs()).start(name);
  }

  const said = (run: Run, message: string): Promise<unknown> => recordOf(run, (record) => record.message === message);

  const logged = (run: Run): string[] => run.records({ kinds: ['log'] }).map(({ message }) => message);

  it('gets an answer to every request, shows nothing, and exits cleanly', async () => {
    const run = await start(fake('lsp-server'), { settings: { aws: { logLevel: '${level}' } } });
    await said(run, 'asked all');
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
    assert.deepEqual(
      logged(run).filter((message) => /^[a-z]+\//i.test(message)),
      [
        'workspace/configuration: ["info",null,{"aws":{"logLevel":"info"}}]',
        `workspace/workspaceFolders: ${JSON.stringify(folders)}`,
        'client/registerCapability: null',
        'workspace/semanticTokens/refresh: null',
        'window/showDocument: {"success":false}',
        'workspace/applyEdit: {"applied":false,"failureReason":"Agent Logs declines workspace/applyEdit: it only shows what happens."}',
        'window/showMessageRequest: null',
        'vendor/ask: {"code":-32601,"message":"Agent Logs declines vendor/ask: it only shows what happens."}',
      ],
    );
    assert.deepEqual(shown, []);
    const { terminatedBy, exitCode } = await run.stop();
    assert.deepEqual([terminatedBy, exitCode], ['client', 0]);
  });

  it('shows its messages if agentLogs.lsp.showMessages is on', async () => {
    await configure('lsp.showMessages', true);
    try {
      const run = await start(fake('lsp-server'));
      await said(run, 'asked all');
      assert.deepEqual(shown, [`${name}: Look here.`, `${name}: Restart?`]);
    } finally {
      await configure('lsp.showMessages', undefined);
    }
  });

  it("registers nothing with VS Code, and receives no documents and no trace level but the run's", async () => {
    const run = await start(fake('lsp-odd', 'offersAll'));
    assert.equal((await run.setLevel('debug')).agent, 'applied');
    assert.ok(!(await vscode.commands.getCommands()).includes('lspOdd.command'));
    const document = await vscode.workspace.openTextDocument({ content: 'a', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
    await configure('lsp.showMessages', true);
    await configure('lsp.showMessages', undefined);
    assert.equal((await run.setLevel('info')).agent, 'applied');
    await recordOf(run, () => logged(run).filter((message) => message === 'got $/setTrace').length === 2);
    const got = ['initialize', 'initialized', 'workspace/didChangeConfiguration', '$/setTrace', '$/setTrace'];
    assert.deepEqual(
      logged(run),
      got.map((method) => `got ${method}`),
    );
  });
});
