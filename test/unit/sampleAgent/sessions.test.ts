import assert from 'node:assert/strict';
import { levels } from '../../../src/sampleAgent/connection';
import { useSampleAgent } from '../../support/sampleAgentHarness';

describe('the sample agent: connection and sessions', () => {
  const agent = useSampleAgent();

  it('declares its capabilities', async () => {
    const { result } = await agent.initialize();
    assert.deepEqual(result, {
      protocolVersion: 1,
      agentInfo: { name: 'agent-logs-sample', title: 'Sample Agent', version: '1.0.0' },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
        _meta: { 'agent-logs': { logging: { methods: ['log', 'logging/setLevel'] } } },
      },
      authMethods: [],
    });
  });

  it('logs for the connection before the first session', async () => {
    await agent.initialize();
    const { params } = await agent.client.call('log');
    assert.match(String(params?.['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const data = { clientInfo: { name: 'test', version: '1' }, level: 'debug' };
    const said = { level: 'info', logger: 'sample.connection', message: 'Connected to test', data };
    assert.deepEqual(params, { ...said, timestamp: params?.['timestamp'] });
  });

  it('logs nothing for a session before it answers session/new', async () => {
    const sessionId = await agent.newSession();
    await agent.client.call('log', (log) => log['sessionId'] === sessionId);
    const order = agent.client.messages.map(({ id, params }) => id ?? params?.['logger']);
    assert.deepEqual(order.slice(0, 5), [1, 'sample.connection', 'sample.connection', 2, 'sample.session']);
  });

  it('answers plain text with logs of all levels and the updates of a real agent', async () => {
    const sessionId = await agent.newSession();
    const { result } = await agent.prompt(sessionId, 'Fix the tests\nplease');
    assert.deepEqual(result, { stopReason: 'end_turn' });
    assert.deepEqual(new Set(agent.levels()), new Set(levels));
    const own = agent.client.received('log').filter((log) => log['sessionId'] === sessionId);
    const loggers = new Set(own.map(({ logger }) => logger));
    assert.deepEqual(loggers, new Set(['sample.session', 'sample.tools', 'sample.model']));
    assert.match(agent.client.said, /^You said "Fix the tests\\nplease"\. I'm the sample agent/);
    assert.equal(agent.client.updates('session_info_update')[0]?.['title'], 'Fix the tests');
    assert.equal(agent.client.updates('plan').length, 4);
    assert.equal(agent.client.updates('usage_update').length, 1);
    const statuses = agent.client.updates('tool_call_update').map(({ status }) => status);
    assert.deepEqual(statuses, ['in_progress', 'completed', 'in_progress', 'failed']);
  });

  it('has two modes', async () => {
    const sessionId = await agent.newSession();
    const { result } = await agent.client.request('session/set_mode', { sessionId, modeId: 'verbose' });
    assert.deepEqual(result, {});
    await agent.prompt(sessionId, 'hello');
    assert.equal(agent.client.updates('current_mode_update')[0]?.['currentModeId'], 'verbose');
    assert.equal(agent.client.updates('agent_thought_chunk').length, 1);
    const { error } = await agent.client.request('session/set_mode', { sessionId, modeId: 'loud' });
    assert.equal(error?.code, -32602);
  });

  it('closes a session during a turn, and no longer knows it', async () => {
    const sessionId = await agent.newSession();
    const id = agent.sendPrompt(sessionId, '/hang');
    assert.deepEqual((await agent.client.request('session/close', { sessionId })).result, {});
    assert.deepEqual((await agent.client.answerTo(id)).result, { stopReason: 'cancelled' });
    const { error } = await agent.prompt(sessionId, 'hello');
    assert.equal(error?.code, -32002);
    assert.deepEqual(error.data, { sessionId });
  });

  it('runs one turn at a time per session, and sessions in parallel', async () => {
    const one = await agent.newSession();
    const other = await agent.newSession();
    const first = agent.sendPrompt(one, '/slow 0.1');
    const next = agent.prompt(one, '/levels');
    assert.deepEqual((await agent.prompt(other, '/help')).result, { stopReason: 'end_turn' });
    assert.equal(agent.levels('sample.levels').length, 0);
    assert.deepEqual((await agent.client.answerTo(first)).result, { stopReason: 'end_turn' });
    assert.deepEqual((await next).result, { stopReason: 'end_turn' });
    assert.equal(agent.levels('sample.levels').length, levels.length);
  });

  it('cancels the running turn and those that wait for it', async () => {
    const sessionId = await agent.newSession();
    const turns = ['/hang', '/levels'].map((text) => agent.prompt(sessionId, text));
    await agent.client.call('log', ({ message }) => message === 'No answer from the model');
    agent.client.notify('session/cancel', { sessionId });
    for (const { result } of await Promise.all(turns)) assert.deepEqual(result, { stopReason: 'cancelled' });
    assert.equal(agent.levels('sample.levels').length, 0);
  });

  it('greets a client once that offers a later version and then initializes again', async () => {
    await agent.initialize(undefined, 2);
    await agent.initialize();
    const { result } = await agent.client.request('session/new', { cwd: '/', mcpServers: [] });
    await agent.prompt(String(result?.['sessionId']), '/help');
    const greetings = agent.client.received('log').filter(({ message }) => message === 'Connected to test');
    assert.equal(greetings.length, 1);
  });

  it('answers an unknown method with -32601', async () => {
    await agent.initialize();
    assert.equal((await agent.client.request('_sample/nothing', {})).error?.code, -32601);
  });

  it('exits with 0 when stdin ends, even during a turn', async () => {
    const sessionId = await agent.newSession();
    agent.sendPrompt(sessionId, '/slow 1000');
    await agent.client.call('session/update', ({ update }) => JSON.stringify(update).includes('Thinking'));
    agent.client.end();
    assert.deepEqual(await agent.client.exit, { code: 0, signal: null });
    await agent.client.closed;
    assert.equal(agent.client.stderr, '');
  });
});
