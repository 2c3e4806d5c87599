// @ts-check
// Kills itself with SIGKILL in the middle of a turn, as the kernel does with a process that takes too much memory.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', () => {
  agent.say('Working…');
  process.kill(process.pid, 'SIGKILL');
  return noAnswer;
});
