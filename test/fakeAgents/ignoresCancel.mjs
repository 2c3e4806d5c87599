// @ts-check
// A turn waits to be cancelled, and then ends with end_turn as if nothing had been.
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
