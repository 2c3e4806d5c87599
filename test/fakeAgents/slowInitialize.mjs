// @ts-check
// Answers initialize after the delay given as its argument, in milliseconds (default: 3000).
import { FakeAgent, numberArgument, sleep } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', async () => {
  await sleep(numberArgument(3000));
  return { protocolVersion: 1 };
});
