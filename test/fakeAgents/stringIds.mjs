// @ts-check
// Uses strings as the IDs of its own requests: a UUID, one that looks like a number, and an empty one. Reports how many were answered.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', async () => {
  let answered = 0;
  for (const id of ['3f1c8f5e-0000-4000-8000-000000000001', '1', '']) {
    await agent.askPermission(id);
    answered++;
  }
  agent.say(`${answered} answered.`);
  return { stopReason: 'end_turn' };
});
