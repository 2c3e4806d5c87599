// @ts-check
// After initialize, sends a message of 350 kB, which may exceed a client's line limit, and then another message.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => {
  setImmediate(() => {
    agent.log('info', 'a€b,'.repeat(60_000));
    agent.log('info', 'after');
  });
  return { protocolVersion: 1 };
});
