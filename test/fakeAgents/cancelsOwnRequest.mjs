// @ts-check
// Asks for permission during a turn and withdraws the request with $/cancel_request 100 ms later. The turn ends when the request is answered.
import { FakeAgent, sleep } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', async () => {
  const answer = agent.askPermission('withdrawn');
  await sleep(100);
  agent.notify('$/cancel_request', { requestId: 'withdrawn' });
  agent.say(JSON.stringify(await answer));
  return { stopReason: 'end_turn' };
});
