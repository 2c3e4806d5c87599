// @ts-check
// Asks for permission during a turn, for the command on its own command line if there is one. If the turn was cancelled in the meantime, it asks once
// more before ending. Reports what the answers were.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
const [, , command] = process.argv;
const input = command === undefined ? undefined : { command };
/** @type {Set<unknown>} */
const cancelled = new Set();
agent.on('session/cancel', ({ sessionId }) => cancelled.add(sessionId));
agent.on('session/prompt', async ({ sessionId }) => {
  cancelled.delete(sessionId);
  agent.say(`First: ${JSON.stringify(await agent.askPermission(undefined, input))}\n`);
  if (!cancelled.has(sessionId)) return { stopReason: 'end_turn' };
  agent.say(`Second: ${JSON.stringify(await agent.askPermission(undefined, input))}\n`);
  return { stopReason: 'cancelled' };
});
