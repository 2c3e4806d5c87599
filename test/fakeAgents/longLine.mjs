// @ts-check
// After initialize, sends a message of 350 kB, which is more than a client may be willing to read of one line, and another after it.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => {
  setImmediate(() => {
    agent.log('info', 'a€b,'.repeat(60_000));
    agent.log('info', 'after');
  });
  return { protocolVersion: 1 };
});
