import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ShownMessage } from '../../../src/live/lsp/lspMessages';
import type { Run } from '../../../src/live/run';
import type { TestRunOptions } from '../../support/testRun';
import { ended, linesOf, recordOf, start, TestRuns, workspaceUri } from '../../support/testRun';
import { startNoting, WireNotes } from '../../support/wireNotes';
import { column } from '../../support/columns';

describe('a language server', () => {
  const runs = TestRuns.ofSuite();

  /** A run of a server, of the odd one if it is told how to behave. */
  const started = (options: TestRunOptions = {}): ReturnType<typeof startNoting> =>
    startNoting(runs.create(options.args ? 'lsp-odd' : 'lsp-server', options));

  const said = (run: Run, text: string | RegExp): Promise<unknown> =>
    recordOf(run, ({ message }) => (typeof text === 'string' ? message === text : text.test(message)));
  const declined = 'only shows what happens.';

  it('is initialized with what logs need, and shows its logs', async () => {
    const { run, wire } = await started({ level: 'info', lsp: { initializationOptions: { a: '${level}' } } });
    await said(run, 'asked all');
    assert.equal(run.protocol, 'lsp');
    assert.deepEqual(run.state.type === 'running' && run.state.agent, {
      agentInfo: { name: 'fake-lsp', version: '0' },
      capabilities: { hoverProvider: true },
    });
    assert.deepEqual(wire.sent('initialize')[0]?.params, {
      processId: process.pid,
      clientInfo: { name: 'Agent Logs', version: '0' },
      rootUri: workspaceUri,
      workspaceFolders: [{ uri: workspaceUri, name: 'project' }],
      trace: 'off',
      capabilities: {
        window: { workDoneProgress: true, showMessage: {} },
        workspace: { configuration: true, workspaceFolders: true },
      },
      initializationOptions: { a: 'info' },
    });
    assert.deepEqual(wire.methods, ['initialize', 'initialized', 'workspace/didChangeConfiguration']);
    const levels = ['error', 'warning', 'info', 'debug', 'debug'];
    const logged = levels.map((level, index) => `${level} said with type ${index + 1}`);
    assert.deepEqual(linesOf(run, 'log').slice(0, 6), [...logged, 'debug {}']);
    assert.deepEqual(linesOf(run, 'notice').slice(0, 2), ['warning Look here.', 'error Restart? (Yes, No)']);
    assert.match(linesOf(run, 'notice')[2] ?? '', /^info nobody chose /);
    assert.deepEqual(linesOf(run, 'stderr'), ['info a line of standard error']);
  });

  it('gets a response to every request, without side effects', async () => {
    const { run } = await started({ level: 'notice', lsp: { settings: { aws: { logLevel: '${level}' } } } });
    await said(run, 'asked all');
    const answers = linesOf(run, 'log').filter((line) => /^info [a-z]+\//i.test(line));
    assert.deepEqual(answers, [
      'info workspace/configuration: ["info",null,{"aws":{"logLevel":"info"}}]',
      `info workspace/workspaceFolders: [{"uri":"${workspaceUri}","name":"project"}]`,
      'info client/registerCapability: null',
      'info workspace/semanticTokens/refresh: null',
      'info window/showDocument: {"success":false}',
      `info workspace/applyEdit: {"applied":false,"failureReason":"Agent Logs declines workspace/applyEdit: it ${declined}"}`,
      'info window/showMessageRequest: null',
      `info vendor/ask: {"code":-32601,"message":"Agent Logs declines vendor/ask: it ${declined}"}`,
    ]);
  });

  it('gets the same responses while it is starting', async () => {
    const { run } = await started({ args: ['asksEarly'] });
    await said(run, 'client/registerCapability: null');
    const asked = linesOf(run, 'log').map((line) => /^info (\S+): (?!\{"code")/.exec(line)?.[1]);
    assert.deepEqual(asked, [
      ...['window/showMessageRequest', 'workspace/configuration', 'window/showDocument', 'workspace/applyEdit'],
      ...['window/workDoneProgress/create', 'client/registerCapability'],
    ]);
  });

  it("shows its messages if enabled, and receives the user's choice", async () => {
    const shown: ShownMessage[] = [];
    const showMessage = (message: ShownMessage): Promise<string | undefined> => {
      shown.push(message);
      return Promise.resolve(message.actions[0]);
    };
    const { run } = await started({ lsp: { showMessage } });
    await said(run, 'window/showMessageRequest: {"title":"Yes","id":7}');
    assert.deepEqual(shown, [
      { level: 'warning', text: 'Look here.', actions: [] },
      { level: 'error', text: 'Restart?', actions: ['Yes', 'No'] },
    ]);
  });

  it('may send many messages, of which only a few are shown at once', async () => {
    let shown = 0;
    const showMessage = (): Promise<string | undefined> => {
      shown++;
      return new Promise(() => undefined);
    };
    const { run } = await started({ args: ['shouts'], lsp: { showMessage } });
    await said(run, 'shouted');
    assert.equal(shown, 3);
    assert.equal(linesOf(run, 'notice').length, 50);
  });

  it('gets a new level as a trace, and as its own setting', async () => {
    const settings = { aws: { logLevel: '${level}' } };
    const { run, wire } = await started({ level: 'info', lsp: { settings } });
    assert.equal(await run.setLevel('debug'), 'applied');
    await said(run, 'trace is verbose');
    await said(run, '{"aws":{"logLevel":"debug"}}');
    assert.equal(await run.setLevel('warning'), 'applied');
    await said(run, 'trace is off');
    await said(run, '{"aws":{"logLevel":"warn"}}');
    assert.deepEqual(column(wire.sent('$/setTrace'), 'params'), [{ value: 'verbose' }, { value: 'off' }]);
  });

  it('without such a setting has no level except the trace', async () => {
    const { run, wire } = await started({ level: 'info' });
    assert.equal(await run.setLevel('warning'), 'unsupported');
    assert.equal(await run.setLevel('debug'), 'applied');
    assert.equal(wire.sent('workspace/didChangeConfiguration').length, 1);
    const fixed = await started({ level: 'info', lsp: { initializationOptions: { logLevel: '${level}' } } });
    assert.equal(await fixed.run.setLevel('debug'), 'needs-restart');
    assert.equal(await fixed.run.setLevel('error'), 'applied');
  });

  it('has cancellable work', async () => {
    const { run, wire } = await started();
    await said(run, 'Indexing');
    const [work] = run.log.requests.filter(({ method }) => method === '$/progress');
    assert.deepEqual([work?.id, work?.progress], ['progress 1', { progress: 0, message: 'Indexing' }]);
    await run.cancel({ requestId: 'progress 1' });
    await said(run, /^Indexing: ended after .*: cancelled$/);
    assert.deepEqual(wire.sent('window/workDoneProgress/cancel')[0]?.params, { token: 1 });
  });

  it('has no sessions and no tools, and says so', async () => {
    const { run } = await started();
    await assert.rejects(run.newSession(), /lsp-server is a language server\. It has no sessions/);
    await assert.rejects(run.callTool('x', {}), /lsp-server isn't an MCP server, so it has no tools to call\.$/);
  });

  it('ends by shutdown and exit', async () => {
    const { run, wire } = await started();
    await said(run, 'asked all');
    const termination = await run.stop();
    assert.deepEqual([termination.reason, termination.terminatedBy, termination.exitCode], ['completed', 'client', 0]);
    assert.deepEqual(wire.methods.slice(-2), ['shutdown', 'exit']);
    const lines = wire.events.flatMap((event) => (event.dir === 'c2a' ? [event.line] : []));
    const [shutdown, exit] = ['{"jsonrpc":"2.0","id":1,"method":"shutdown"}', '{"jsonrpc":"2.0","method":"exit"}'];
    assert.deepEqual(lines.slice(-2), [shutdown, exit]);
  });

  it("is killed within the timeout if it doesn't answer shutdown", async () => {
    const { run, wire } = await started({ args: ['deafToShutdown'], limits: { stop: { close: 800, terminate: 200 } } });
    const termination = await run.stop();
    assert.deepEqual([termination.terminatedBy, termination.exitCode], ['client', 1]);
    assert.deepEqual(wire.methods.slice(-2), ['shutdown', 'exit']);
    assert.deepEqual(wire.processEvents.slice(0, 2), ['spawn', 'stdin-close']);
  });

  it('is killed at once if stopped twice', async () => {
    const limits = { stop: { close: 600_000, terminate: 200 } };
    const { run } = await started({ args: ['deafToShutdown'], limits });
    await Promise.all([run.stop(), run.stop()]);
  });

  it('reports its own error if it refuses to start', async () => {
    const run = runs.create('lsp-odd', { args: ['refuses'] });
    await assert.rejects(start(run), /^HumanError: lsp-odd refused initialize: No TypeScript here \(-32603\)\.$/);
    assert.equal(run.state.type, 'ended');
  });

  it('can be stopped before initialize is sent', async () => {
    const run = runs.create('lsp-server');
    const starting = start(run);
    const [termination] = await Promise.all([run.stop(), assert.rejects(starting, /^Cancelled/)]);
    assert.equal(termination.terminatedBy, 'client');
  });

  it('ends the run if the client library throws', async () => {
    const fails = (): never => {
      throw new Error('out of order');
    };
    const run = runs.create('lsp-server', { lsp: { loadLanguageClient: () => Promise.resolve(fails) } });
    await assert.rejects(start(run), /^HumanError: /);
    assert.equal(run.state.type, 'ended');
  });

  it('cancels initialize when the start is cancelled', async () => {
    const run = runs.create('lsp-server', { spec: { args: ['-e', 'process.stdin.resume()'] } });
    const wire = new WireNotes(run);
    const source = new CancellationTokenSource();
    const starting = start(run, source);
    await wire.untilSent('initialize');
    source.cancel();
    await assert.rejects(starting);
    assert.deepEqual(wire.sent('$/cancelRequest')[0]?.params, { id: 0 });
  });

  it('is reported with its protocol if it never answers', async () => {
    const options = { limits: { initializeTimeout: 200 }, spec: { args: ['-e', 'process.stdin.resume()'] } };
    const run = runs.create('lsp-server', options);
    await assert.rejects(start(run), /didn't answer `initialize` within 200 ms.*Language Server Protocol/);
  });

  it('ends the run with the reason if it crashes, and leaves nothing open', async () => {
    const { run } = await started({ args: ['dies'] });
    const termination = await ended(run);
    assert.deepEqual([termination.reason, termination.exitCode, termination.stderr?.head], ['error', 7, 'out of luck']);
    assert.deepEqual(run.log.requests, []);
  });

  it('may print text between messages, and exceed the size limit', async () => {
    const { run } = await started({ args: ['junk'], limits: { maxLineBytes: 64 * 1024 } });
    await said(run, 'after a long message');
    const lines = linesOf(run);
    for (const what of ['what was printed', 'a wrong length']) assert.ok(lines.includes(`info after ${what}`), what);
    const odd = lines.filter((line) => line.startsWith('warning stdout: '));
    const junk = odd.map((line) => /Debugger attached\.|printed|\{"a":12|345\}|is too long to be read/.exec(line)?.[0]);
    assert.deepEqual(junk, ['Debugger attached.', 'printed', '{"a":12', '345}', 'is too long to be read']);
  });
});
