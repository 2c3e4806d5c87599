// @ts-check
// Answers `initialize` and `session/new`, then stops reading, so that its stdin pipe fills up.
import { FakeAgent } from '../../fakeAgents/lib/fakeAgent.mjs';

const agent = new FakeAgent({ onEnd: () => undefined });
agent.on('session/new', () => {
  setImmediate(() => {
    process.stdin.removeAllListeners('data');
    process.stdin.pause();
  });
  return { sessionId: 'fake-1' };
});
setTimeout(() => process.exit(99), 60_000);
