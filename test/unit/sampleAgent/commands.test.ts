import assert from 'node:assert/strict';
import { commands } from '../../../src/sampleAgent/commands';
import { column } from '../../support/columns';
import { useSampleAgent } from '../../support/sampleAgentHarness';

describe('the sample agent: commands', () => {
  const agent = useSampleAgent();

  it('announces its commands, and lists them for /help', async () => {
    await agent.prompt(await agent.newSession(), '/help');
    const announced = agent.client.updates('available_commands_update')[0]?.['availableCommands'];
    assert.deepEqual(column(announced as { name: string }[], 'name'), column(commands, 'name'));
    for (const { name, description } of commands) {
      assert(agent.client.said.includes(`/${name}`));
      assert(agent.client.said.includes(description));
    }
  });

  it('answers the unknown command /nonsense', async () => {
    await agent.prompt(await agent.newSession(), '/nonsense 1');
    assert.match(agent.client.said, /Unknown command: \/nonsense/);
  });

  it('/notice sends notices if the client supports them', async () => {
    const sessionId = await agent.newSession({ session: { notices: {} } });
    await agent.prompt(sessionId, '/notice');
    const severities = agent.client.updates('notice').map(({ severity }) => severity);
    assert.deepEqual(severities, ['info', 'warning', 'error']);
  });

  it('/notice sends messages otherwise', async () => {
    await agent.prompt(await agent.newSession(), '/notice');
    assert.deepEqual(agent.client.updates('notice'), []);
    assert.match(agent.client.said, /\*\*Using another model\*\*: sample-2 is busy/);
  });

  for (const [text, code] of Object.entries({ '/crash': 1, '/crash 42': 42, '/crash 7.5': 7, '/crash 0': 0 })) {
    it(`${text} exits with ${code}, after a stack trace on stderr`, async () => {
      agent.sendPrompt(await agent.newSession(), text);
      assert.deepEqual(await agent.client.exit, { code, signal: null });
      await agent.client.closed;
      assert.match(agent.client.stderr, /^Uncaught Error: The sample agent was asked to crash .*\n +at /);
      assert.equal(agent.levels().at(-1), 'critical');
    });
  }

  it('/flood sends exactly the requested number of messages', async () => {
    await agent.prompt(await agent.newSession(), '/flood 12,345');
    const flood = agent.client.received('log').filter(({ logger }) => logger === 'sample.flood');
    const numbers = flood.map(({ data }) => (data as { n: number }).n);
    assert.ok(numbers.length === 12_345 && numbers.every((n, index) => n === index + 1));
    assert.match(agent.client.said, /^Sent 12345 of 12345 messages/);
  });

  it('/flood can be cancelled', async () => {
    const sessionId = await agent.newSession();
    const id = agent.sendPrompt(sessionId, '/flood 10000000');
    await agent.client.call('log', ({ logger }) => logger === 'sample.flood');
    agent.client.notify('session/cancel', { sessionId });
    assert.deepEqual((await agent.client.answerTo(id)).result, { stopReason: 'cancelled' });
  });

  it('/flood sends nothing below the requested level', async () => {
    await agent.prompt(await agent.newSession({ logging: { level: 'warning' } }), '/flood 100');
    assert.deepEqual(agent.levels(), []);
    assert.match(agent.client.said, /^Sent 0 of 100 messages/);
  });

  it('/slow takes the requested time, and reports progress', async () => {
    const { result } = await agent.prompt(await agent.newSession(), '/slow 0.01');
    assert.deepEqual(result, { stopReason: 'end_turn' });
    assert.equal(agent.client.said, 'Thinking…\n100 %\nDone.');
  });

  const hanging = { '/slow 100': 'Working for 100 s', '/hang': 'No answer from the model' };
  for (const [text, message] of Object.entries(hanging)) {
    it(`${text} can be cancelled: "cancelled" for the turn, -32800 for the request`, async () => {
      const first = await agent.newSession();
      const second = await agent.newSession();
      const running = async (sessionId: string): Promise<number> => {
        const id = agent.sendPrompt(sessionId, text);
        await agent.client.call('log', (log) => log['message'] === message && log['sessionId'] === sessionId);
        return id;
      };
      const turn = await running(first);
      agent.client.notify('session/cancel', { sessionId: first });
      assert.deepEqual((await agent.client.answerTo(turn)).result, { stopReason: 'cancelled' });

      const request = await running(second);
      agent.client.notify('$/cancel_request', { requestId: request });
      assert.equal((await agent.client.answerTo(request)).error?.code, -32800);
    });
  }

  it('/stderr writes lines in many formats', async () => {
    await agent.prompt(await agent.newSession(), '/stderr');
    agent.client.end();
    await agent.client.closed;
    assert.equal(agent.client.stderr.split('\n').length, 12);
    assert(agent.client.stderr.includes('\n[WARN] a line with its level in brackets\n'));
  });

  it('/error answers with an error', async () => {
    const { error } = await agent.prompt(await agent.newSession(), '/error');
    const data = { errorName: 'RateLimited', status: 429 };
    assert.deepEqual(error, { code: -32603, message: 'Internal error: the model refused the request', data });
  });

  it('/unknown sends messages that no client knows', async () => {
    const sessionId = await agent.newSession();
    await agent.prompt(sessionId, '/unknown');
    assert.equal(agent.client.updates('_sample_mood')[0]?.['mood'], 'curious');
    assert.deepEqual(agent.client.received('_sample/weather'), [{ sessionId, sky: 'cloudy', celsius: 7 }]);
  });
});
