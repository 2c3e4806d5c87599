import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { agentLogs, configureAgents, endAll, fake, recordOf } from './support';

describe('A language server', () => {
  /** A new name for each test, because levels are remembered by agent name. */
  let name: string;
  let tests = 0;
  let shown: string[];
  let rejections: unknown[];
  let distPath: string;
  /** Ignores unhandled rejections of VS Code's own extensions, such as for a missing ripgrep. */
  const noteRejection = (error: unknown): void => {
    if (error instanceof Error && error.stack?.includes(distPath)) rejections.push(error);
  };
  const show = ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const;
  const originals = show.map((method) => vscode.window[method]);

  before(async () => {
    for (const method of show) {
      const shows = (text: string): Thenable<undefined> => {
        shown.push(text);
        return Promise.resolve(undefined);
      };
      Object.defineProperty(vscode.window, method, { value: shows, configurable: true, writable: true });
    }
    await agentLogs();
    distPath = join(vscode.extensions.getExtension('agent-logs.agent-logs')!.extensionPath, 'dist');
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

  after(async () => {
    for (const [index, method] of show.entries()) {
      Object.defineProperty(vscode.window, method, { value: originals[index], configurable: true, writable: true });
    }
    await configureAgents({});
  });

  async function start(server: ReturnType<typeof fake>, more: object = {}): Promise<Run> {
    await configureAgents({ [name]: { ...server, protocol: 'lsp', ...more } });
    return (await agentLogs()).start(name);
  }

  const said = (run: Run, message: string): Promise<unknown> => recordOf(run, (record) => record.message === message);

  const logged = (run: Run): string[] => run.records({ kinds: ['log'] }).map(({ message }) => message);

  it('starts, logs, takes a level, and exits cleanly', async () => {
    const run = await start(fake('lsp-server'));
    assert.equal(run.protocol, 'lsp');
    await recordOf(run, ({ kind }) => kind === 'log' || kind === 'notice');
    assert.equal((await run.setLevel('debug')).agent, 'applied');
    await assert.rejects(run.newSession(), /no sessions/);
    const termination = await run.stop();
    assert.deepEqual([termination.terminatedBy, termination.exitCode], ['client', 0]);
  });

  it('gets an answer to every request, and shows nothing', async () => {
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
  });

  it('gets the same answers while it is starting', async () => {
    const run = await start(fake('lsp-odd', 'asksEarly'));
    await said(run, 'client/registerCapability: null');
    assert.deepEqual(logged(run).slice(0, 3), [
      'window/showMessageRequest: null',
      'workspace/configuration: [{}]',
      'window/showDocument: {"success":false}',
    ]);
    assert.deepEqual(shown, []);
  });

  it('shows its messages if agentLogs.lsp.showMessages is on', async () => {
    const configuration = vscode.workspace.getConfiguration('agentLogs');
    await configuration.update('lsp.showMessages', true, vscode.ConfigurationTarget.Workspace);
    try {
      const run = await start(fake('lsp-server'));
      await said(run, 'asked all');
      assert.deepEqual(shown, [`${name}: Look here.`, `${name}: Restart?`]);
    } finally {
      await configuration.update('lsp.showMessages', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("registers nothing with VS Code, and receives no documents and no trace level but the run's", async () => {
    const run = await start(fake('lsp-odd', 'offersAll'));
    assert.equal((await run.setLevel('debug')).agent, 'applied');
    assert.ok(!(await vscode.commands.getCommands()).includes('lspOdd.command'));
    const document = await vscode.workspace.openTextDocument({ content: 'a', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
    const configuration = vscode.workspace.getConfiguration('agentLogs');
    await configuration.update('lsp.showMessages', true, vscode.ConfigurationTarget.Workspace);
    await configuration.update('lsp.showMessages', undefined, vscode.ConfigurationTarget.Workspace);
    assert.equal((await run.setLevel('info')).agent, 'applied');
    await recordOf(run, () => logged(run).filter((message) => message === 'got $/setTrace').length === 2);
    assert.deepEqual(logged(run), [
      'got initialize',
      'got initialized',
      'got workspace/didChangeConfiguration',
      'got $/setTrace',
      'got $/setTrace',
    ]);
  });

  it('receives a new level as a trace value and as its own setting', async () => {
    const run = await start(fake('lsp-server'), { settings: { aws: { logLevel: '${level}' } } });
    await run.setLevel('debug');
    await said(run, 'trace is verbose');
    await said(run, '{"aws":{"logLevel":"debug"}}');
    await run.setLevel('info');
    await recordOf(run, () => run.records().some(({ message }) => message === 'trace is off'));
  });

  it('reports why the server refused to start', async () => {
    await assert.rejects(start(fake('lsp-odd', 'refuses')), /refused initialize: No TypeScript here/);
    assert.ok(!shown.some((text) => /client: couldn't create|initialization failed/.test(text)), shown.join('\n'));
  });

  it('reports a crash, and leaves no request open', async () => {
    const run = await start(fake('lsp-odd', 'dies')).catch(async () => (await agentLogs()).runs[0]!);
    await recordOf(run, ({ kind, message }) => kind === 'lifecycle' && /exit/.test(message));
    const termination = await run.stop();
    assert.deepEqual([termination.reason, termination.exitCode], ['error', 7]);
    assert.deepEqual(run.requests, []);
    assert.ok(!shown.some((text) => /[Cc]onnection/.test(text)), shown.join('\n'));
  });

  it('reads on after text that is not a message', async () => {
    const run = await start(fake('lsp-odd', 'junk'));
    await said(run, 'after a long message');
    assert.deepEqual(shown, []);
  });

  it('sends exit to a server that does not answer shutdown, and ends it in time', async () => {
    const run = await start(fake('lsp-odd', 'deafToShutdown'));
    const begun = performance.now();
    const termination = await run.stop();
    assert.deepEqual([termination.terminatedBy, termination.exitCode], ['client', 1]);
    assert.ok(performance.now() - begun < 20_000);
  });

  it('can be restarted', async () => {
    for (let life = 0; life < 2; life++) {
      const run = await start(fake('lsp-server'));
      await said(run, 'asked all');
      assert.equal((await run.stop()).exitCode, 0);
    }
  });
});
