// @ts-check
// Reads its level from clientCapabilities.logging, and changes it on logging/setLevel. On a prompt, logs at every enabled level.
import { FakeAgent, RpcError } from './lib/fakeAgent.mjs';
import { askedLevel, logAll, thresholds } from './lib/levels.mjs';

const agent = new FakeAgent();
let level = 'off';
agent.on('initialize', (params) => {
  level = askedLevel(params);
  return { protocolVersion: 1 };
});
agent.on('logging/setLevel', (params) => {
  const wanted = String(params['level']);
  if (!thresholds.includes(wanted)) throw new RpcError(-32602, `Unknown level: ${wanted}`);
  level = wanted;
  return {};
});
agent.on('session/prompt', () => {
  logAll(agent, level);
  return { stopReason: 'end_turn' };
});
