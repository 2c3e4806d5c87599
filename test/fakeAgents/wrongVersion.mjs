// @ts-check
// Answers initialize with protocol version 2, in the form of version 2.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => ({
  protocolVersion: 2,
  info: { name: 'fake', version: '0' },
  capabilities: { session: {} },
}));
