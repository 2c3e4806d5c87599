// @ts-check
// Answers `initialize` and `session/new`, and reads nothing after that: what is written to it stays in the pipe.
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
