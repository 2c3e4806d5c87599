// @ts-check
// Waits for its turn to be cancelled, then ends it with end_turn as if nothing had happened.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
let goOn = () => {};
agent.on('session/cancel', () => goOn());
agent.on('session/prompt', async () => {
  agent.say('Working…');
  await new Promise((resolve) => {
    goOn = () => resolve(undefined);
  });
  agent.say(' done.');
  return { stopReason: 'end_turn' };
});
