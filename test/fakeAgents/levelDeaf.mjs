// @ts-check
// Takes its level from clientCapabilities.logging, once: logging/setLevel is answered with -32601. A prompt logs every level wanted.
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
