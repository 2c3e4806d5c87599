// @ts-check
// Reads its level from clientCapabilities.logging once; answers logging/setLevel with -32601. On a prompt, logs at every enabled level.
import { FakeAgent } from './lib/fakeAgent.mjs';
import { askedLevel, logAll } from './lib/levels.mjs';

const agent = new FakeAgent();
let level = 'off';
agent.on('initialize', (params) => {
  level = askedLevel(params);
  return { protocolVersion: 1 };
});
agent.on('session/prompt', () => {
  logAll(agent, level);
  return { stopReason: 'end_turn' };
});
