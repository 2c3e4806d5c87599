// @ts-check
// Asks for permission in a turn. When the turn was cancelled meanwhile, it asks once more before it ends. Says what the answers were.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
/** @type {Set<unknown>} */
const cancelled = new Set();
agent.on('session/cancel', ({ sessionId }) => cancelled.add(sessionId));
agent.on('session/prompt', async ({ sessionId }) => {
  cancelled.delete(sessionId);
  agent.say(`First: ${JSON.stringify(await agent.askPermission())}\n`);
  if (!cancelled.has(sessionId)) return { stopReason: 'end_turn' };
  agent.say(`Second: ${JSON.stringify(await agent.askPermission())}\n`);
  return { stopReason: 'cancelled' };
});
