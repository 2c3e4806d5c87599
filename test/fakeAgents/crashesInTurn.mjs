// @ts-check
// Exits with code 7 in the middle of a turn, after some text and a stack trace on stderr. The prompt is never answered.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', () => {
  agent.say('Working…');
  process.stderr.write(`${new Error('The turn failed').stack ?? ''}\n`, () => process.exit(7));
  return noAnswer;
});
