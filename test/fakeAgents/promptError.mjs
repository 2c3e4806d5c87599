// @ts-check
// Answers every prompt with a JSON-RPC error.
import { FakeAgent, RpcError } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', () => {
  throw new RpcError(-32603, 'Internal error: mock rate limit', { errorName: 'APIError', status: 429 });
});
