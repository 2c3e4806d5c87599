import assert from 'node:assert/strict';
import { levels } from '../../../src/sampleAgent/connection';
import { useSampleAgent } from '../../support/sampleAgentHarness';

describe('the sample agent: level', () => {
  const agent = useSampleAgent();

  for (const [title, asked] of Object.entries({
    'clientCapabilities.logging': (logging: object) => ({ logging }),
    'clientCapabilities._meta["agent-logs"].logging': (logging: object) => ({ _meta: { 'agent-logs': { logging } } }),
  })) {
    it(`honors ${title}`, async () => {
      for (const [index, level] of levels.entries()) {
        const sessionId = await agent.newSession(asked({ level }));
        assert.deepEqual(await agent.levelsArriving(sessionId), levels.slice(index));
      }
      assert.deepEqual(await agent.levelsArriving(await agent.newSession(asked({ level: 'off' }))), []);
      assert.deepEqual(await agent.levelsArriving(await agent.newSession(asked({}))), levels.slice(1));
    });
  }

  it('prefers the first if the two differ', async () => {
    const meta = { 'agent-logs': { logging: { level: 'debug' } } };
    const sessionId = await agent.newSession({ logging: { level: 'alert' }, _meta: meta });
    assert.deepEqual(await agent.levelsArriving(sessionId), ['alert', 'emergency']);
    assert.deepEqual(agent.levels(), ['alert', 'emergency']);
  });

  it('falls back to info for an unknown level, and reports that', async () => {
    const sessionId = await agent.newSession({ logging: { level: 'loud' } });
    assert.deepEqual(await agent.levelsArriving(sessionId), levels.slice(1));
    const { params } = await agent.client.call('log', ({ logger }) => logger === 'sample.logging');
    assert.equal(params?.['level'], 'warning');
    assert.deepEqual(params['data'], { asked: 'loud' });
  });

  it('sends no logs if the client declared no level', async () => {
    for (const capabilities of [{}, { logging: null }, { logging: true }, { _meta: null }]) {
      assert.deepEqual(await agent.levelsArriving(await agent.newSession(capabilities)), []);
    }
    await agent.prompt(await agent.newSession({}), 'hello');
    assert.deepEqual(agent.levels(), []);
  });

  it('follows logging/setLevel while running', async () => {
    const sessionId = await agent.newSession({ logging: { level: 'info' } });
    assert.deepEqual(await agent.levelsArriving(sessionId), levels.slice(1));
    for (const [level, expected] of [
      ['critical', levels.slice(5)],
      ['debug', levels],
      ['off', []],
    ] as const) {
      assert.deepEqual((await agent.client.request('logging/setLevel', { level })).result, {});
      assert.deepEqual(await agent.levelsArriving(sessionId), expected);
    }
  });

  it('sends logs to a client that asks for them later', async () => {
    const sessionId = await agent.newSession({});
    await agent.client.request('logging/setLevel', { level: 'alert' });
    assert.deepEqual(await agent.levelsArriving(sessionId), ['alert', 'emergency']);
  });

  it('rejects an unknown level, lists the known ones, and keeps the current level', async () => {
    const sessionId = await agent.newSession({ logging: { level: 'error' } });
    for (const params of [{ level: 'loud' }, { level: 3 }, {}, undefined]) {
      const { error } = await agent.client.request('logging/setLevel', params);
      assert.equal(error?.code, -32602);
      for (const level of [...levels, 'off']) assert(error.message.includes(level));
    }
    assert.deepEqual(await agent.levelsArriving(sessionId), levels.slice(4));
  });
});
