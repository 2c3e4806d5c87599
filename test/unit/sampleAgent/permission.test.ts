import assert from 'node:assert/strict';
import { useSampleAgent } from '../../support/sampleAgentHarness';

describe('the sample agent: /permission', () => {
  const agent = useSampleAgent();

  const other = { outcome: 'selected', optionId: 'x' };
  const answers = {
    allowed: [{ outcome: 'selected', optionId: 'once' }, 'Allowed (Allow once)', 'completed'],
    rejected: [{ outcome: 'selected', optionId: 'reject' }, 'Not allowed (Reject)', 'failed'],
    dismissed: [{ outcome: 'cancelled' }, 'Not allowed (cancelled)', 'failed'],
    'answered with another option': [other, 'Not allowed (x, which was not offered)', 'failed'],
  } as const;
  for (const [title, [outcome, said, status]] of Object.entries(answers)) {
    it(`continues when the request is ${title}`, async () => {
      const sessionId = await agent.newSession();
      const id = agent.sendPrompt(sessionId, '/permission');
      const request = await agent.client.call('session/request_permission');
      assert.equal(request.params?.['sessionId'], sessionId);
      agent.client.answer(request, { outcome });
      assert.deepEqual((await agent.client.answerTo(id)).result, { stopReason: 'end_turn' });
      assert(agent.client.said.startsWith(said));
      assert.equal(agent.client.updates('tool_call_update')[0]?.['status'], status);
    });
  }

  it('continues when the client answers with an error', async () => {
    const id = agent.sendPrompt(await agent.newSession(), '/permission');
    const request = await agent.client.call('session/request_permission');
    agent.client.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32601, message: 'no' } }));
    assert.deepEqual((await agent.client.answerTo(id)).result, { stopReason: 'end_turn' });
    assert.match(agent.client.said, /^Not allowed \(error -32601: no\)/);
  });

  it('withdraws the request when the turn is cancelled', async () => {
    const sessionId = await agent.newSession();
    const id = agent.sendPrompt(sessionId, '/permission');
    const request = await agent.client.call('session/request_permission');
    agent.client.notify('session/cancel', { sessionId });
    assert.deepEqual((await agent.client.answerTo(id)).result, { stopReason: 'cancelled' });
    assert.deepEqual(agent.client.received('$/cancel_request'), [{ requestId: request.id }]);
  });
});
