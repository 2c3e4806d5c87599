// @ts-check
// Answers initialize with protocol version 2, in version 2's format.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => ({
  protocolVersion: 2,
  info: { name: 'fake', version: '0' },
  capabilities: { session: {} },
}));
