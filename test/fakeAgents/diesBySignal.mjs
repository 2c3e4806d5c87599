// @ts-check
// Kills itself with SIGKILL in the middle of a turn, like the out-of-memory killer.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', () => {
  agent.say('Working…');
  process.kill(process.pid, 'SIGKILL');
  return noAnswer;
});
