// @ts-check
// Refuses session/new, or the method given as its first argument, with -32000 until authenticate is called. Of the two methods offered, "broken" always
// fails and "token" works.
import { FakeAgent, RpcError } from './lib/fakeAgent.mjs';

const authMethods = [
  { id: 'broken', name: 'Browser', description: 'Fails every time' },
  { id: 'token', name: 'Token', description: 'Works' },
];
let authenticated = false;

const agent = new FakeAgent();
agent.on('initialize', () => ({ protocolVersion: 1, authMethods }));
agent.on('authenticate', ({ methodId }) => {
  if (methodId === 'broken') throw new RpcError(-32000, 'Authentication failed: the browser was closed');
  if (methodId !== 'token') throw new RpcError(-32602, `Unknown method: ${String(methodId)}`);
  authenticated = true;
  return {};
});
const refused = process.argv[2] ?? 'session/new';
const refuse = (/** @type {string} */ method) => {
  if (method === refused && !authenticated) throw new RpcError(-32000, 'Authentication required', { authMethods });
};
agent.on('session/new', () => {
  refuse('session/new');
  return { sessionId: `fake-${++agent.sessions}` };
});
agent.on('session/prompt', () => {
  refuse('session/prompt');
  return { stopReason: 'end_turn' };
});
