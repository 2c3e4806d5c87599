// @ts-check
// Answers initialize twice, with two different names.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', (_params, id) => {
  agent.respond(id, { protocolVersion: 1, agentInfo: { name: 'first', version: '1' } });
  return { protocolVersion: 1, agentInfo: { name: 'second', version: '2' } };
});
