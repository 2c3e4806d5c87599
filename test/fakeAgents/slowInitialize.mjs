// @ts-check
// Answers initialize after the milliseconds given as argument, 3000 if none are given.
import { FakeAgent, numberArgument, sleep } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', async () => {
  await sleep(numberArgument(3000));
  return { protocolVersion: 1 };
});
