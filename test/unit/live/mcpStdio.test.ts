import { t } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ToolProgress } from '../../../src/live/connection/agentClient';
import { Cancelled } from '../../../src/time/waiting';
import { itIfStdoutCloses } from '../../support/platform';
import { startNoting, textOf } from '../../support/wireNotes';
import type { TestRunOptions } from '../../support/testRun';
import { human, ended, linesOf, TestRuns, workspaceUri } from '../../support/testRun';

describe('an MCP server over stdio', () => {
  const runs = TestRuns.ofSuite();

  const started = (fake = 'mcp-server', options: TestRunOptions = {}): ReturnType<typeof startNoting> =>
    startNoting(runs.create(fake, options));

  it('is initialized with the newest version first, then gets the level', async () => {
    const { run, wire } = await started('mcp-server', { level: 'notice' });
    assert.deepEqual(wire.methods, ['server/discover', 'initialize', 'notifications/initialized', 'logging/setLevel']);
    assert.equal(wire.sent('logging/setLevel')[0]?.params?.['level'], 'notice');
    assert.deepEqual(wire.sent('initialize')[0]?.params, {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: '0' },
    });
    assert.deepEqual(run.state.type === 'running' && run.state.agent, {
      protocolVersion: '2025-11-25',
      agentInfo: { name: 'fake-mcp', version: '0' },
      capabilities: { tools: {}, logging: {} },
      instructions: 'Be kind.',
    });
    assert.equal(run.protocol, 'mcp');
    const { reason, terminatedBy, exitCode } = await run.stop();
    assert.deepEqual([reason, terminatedBy, exitCode], ['completed', 'client', 0]);
  });

  for (const args of [[], ['modern']]) {
    it(`may send invalid fields ${args.join('')}`, async () => {
      const { run } = await started('mcp-sloppy', { args });
      const agent = run.state.type === 'running' ? run.state.agent : {};
      assert.deepEqual(agent['agentInfo'], { name: 'sloppy', version: args.length === 0 ? '1' : '' });
      assert.deepEqual(agent['capabilities'], { tools: {}, logging: {} });
      assert.equal(await run.setLevel('error'), 'applied');
      const results = [
        { content: [{ type: 'chart', x: 1 }, { type: 'image' }], structuredContent: null, isError: 'yes' },
        { content: 'text', _meta: null },
        {},
      ];
      const own = args.length === 0 ? {} : { resultType: 'complete' };
      const check = async (): Promise<void> => {
        for (const result of results) assert.deepEqual(await run.callTool('echo', result), { ...result, ...own });
      };
      await check();
      const tools = ['echo', 'bare'].map((name) => ({ name, inputSchema: { type: 'object' } }));
      assert.deepEqual(await run.listTools(), tools);
      await check();
    });
  }

  it('has tools, and no sessions', async () => {
    const { run } = await started();
    const tools = await run.listTools();
    assert.deepEqual(tools[0], { name: 'echo', description: 'Does echo.', inputSchema: { type: 'object' } });
    assert.equal(textOf(await run.callTool('echo', { a: [1, null] })), '{"a":[1,null]}');
    for (const request of [run.newSession(), run.prompt('x', 'y')]) {
      await assert.rejects(request, human(/is an MCP server\. It has tools, but no sessions/));
    }
    assert.equal(run.canCloseSessions, false);
  });

  it('reports progress and logs of a call once each', async () => {
    const { run, wire } = await started('mcp-server', { level: 'critical' });
    const steps: ToolProgress[] = [];
    const result = await run.callTool('work', {}, { onProgress: (progress) => steps.push(progress) });
    assert.equal(textOf(result), 'worked');
    const expected = [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` }));
    assert.deepEqual(steps, expected);
    assert.equal(linesOf(run, 'log').length, 3); // critical, alert, emergency
    const [call] = wire.sent('tools/call');
    assert.equal(typeof (call?.params?.['_meta'] as { progressToken: unknown }).progressToken, 'string');
  });

  it('gets another level, and applies it', async () => {
    const { run, wire } = await started();
    assert.equal(await run.setLevel('alert'), 'applied');
    await run.callTool('work', {});
    assert.equal(linesOf(run, 'log').length, 2);
    assert.equal(await run.setLevel('off'), 'applied');
    assert.equal(wire.sent('logging/setLevel').at(-1)?.params?.['level'], 'emergency');
  });

  it('without logging never gets a level', async () => {
    const { run, wire } = await started('mcp-quiet');
    assert.equal(await run.setLevel('debug'), 'unsupported');
    assert.deepEqual(wire.sent('logging/setLevel'), []);
  });

  it('may refuse the level, which is reported', async () => {
    const refuses = async (...args: string[]): Promise<string> => {
      // Without an answer to give, it stays silent.
      const setLevelTimeout = args.length === 0 ? 50 : 30_000;
      const { run } = await started('mcp-refusesLevel', { args, mcp: { setLevelTimeout } });
      return run.setLevel('debug');
    };
    const answers = await Promise.all([refuses('-32601'), refuses('-32602'), refuses()]);
    assert.deepEqual(answers, ['unsupported', 'failed', 'failed']);
  });

  it('refuses a call with its own error', async () => {
    const { run } = await started();
    const expected = { name: 'AgentError', code: -32602, message: /refused tools\/call: No such thing$/ };
    await assert.rejects(run.callTool('refuse', {}), expected);
  });

  it("that ignores a cancellation doesn't delay the cancelled call", async () => {
    const { run, wire } = await started();
    const source = new CancellationTokenSource();
    const call = run.callTool('hang', {}, { token: source.token });
    const { id } = await wire.untilSent('tools/call');
    source.cancel();
    await assert.rejects(call, Cancelled);
    await assert.rejects(run.cancel({ requestId: id ?? '' }), human(/no longer has this request/));
    const { params } = await wire.untilSent('notifications/cancelled');
    assert.deepEqual(params, { requestId: id, reason: 'cancelled by the user' });
    assert.equal(textOf(await run.callTool('echo', {})), '{}');
  });

  it("doesn't get a call that was cancelled before it was sent", async () => {
    const { run, wire } = await started();
    const source = new CancellationTokenSource();
    source.cancel();
    await assert.rejects(run.callTool('hang', {}, { token: source.token }), Cancelled);
    assert.deepEqual(wire.sent('tools/call'), []);
  });

  it('may cancel a call', async () => {
    const { run, wire } = await started();
    await assert.rejects(run.callTool('giveUp', {}), human(/^mcp-server cancelled tools\/call: shutting down$/));
    assert.deepEqual(wire.sent('notifications/cancelled'), []);
  });

  it('gets the folders as roots, and everything else is declined', async () => {
    const { run } = await started();
    const ask = async (method: string): Promise<unknown> => JSON.parse(textOf(await run.callTool('ask', { method })));
    assert.deepEqual(await ask('roots/list'), { result: { roots: [{ uri: workspaceUri, name: 'project' }] } });
    for (const method of ['sampling/createMessage', 'elicitation/create', 'x/y']) {
      const message = `Agent Logs declines ${method}: it only shows what happens.`;
      assert.deepEqual(await ask(method), { error: { code: -32601, message } });
    }
    assert.deepEqual(await ask('ping'), { result: {} });
  });

  it('that exits during a call fails it with its exit code', async () => {
    const { run } = await started();
    const dead = human(/^mcp-server exited with code 7 before it answered tools\/call\.$/);
    await assert.rejects(run.callTool('die', {}), dead);
    const { reason, terminatedBy, exitCode, stderr } = await ended(run);
    assert.deepEqual([reason, terminatedBy, exitCode, stderr?.head], ['error', 'agent', 7, 'out of luck']);
    await assert.rejects(run.callTool('echo', {}), human(/isn't running/));
  });

  itIfStdoutCloses('that closes its standard output is ended', async () => {
    const { run } = await started();
    await assert.rejects(run.callTool('closeStdout', {}), human(/^mcp-server ended before it answered/));
    assert.deepEqual((await ended(run)).message, t('closed its standard output'));
  });

  it('has its calls cancelled when it is stopped', async () => {
    const { run, wire } = await started();
    const call = run.callTool('hang', {});
    await wire.untilSent('tools/call');
    await Promise.all([assert.rejects(call, Cancelled), run.stop()]);
    assert.equal(wire.sent('notifications/cancelled').length, 1);
  });

  it('may print junk, and exceed the size limit in a response', async () => {
    const limits = { maxLineBytes: 64 * 1024, maxMessageBytes: 1024 * 1024 };
    const { run, wire } = await started('mcp-junk', { limits });
    assert.equal(textOf(await run.callTool('noisy', {})), 'quiet again');
    await assert.rejects(run.callTool('huge', {}), human(/2097\d{3} bytes, over the limit of 1048576 bytes/));
    const lines = wire.events.flatMap((event) => (event.dir === 'a2c' ? [event.line] : []));
    assert.ok(lines.includes('Listening on stdio…') && lines.includes('working…') && lines.includes('"text"'));
  });
});
