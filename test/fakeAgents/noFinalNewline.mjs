// @ts-check
// Answers a prompt without a line break after the answer, writes an unfinished line to stderr, and exits with code 0.
import { FakeAgent, noAnswer } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', (_params, id) => {
  agent.say('Goodbye.');
  process.stderr.write('the last line, unfinished');
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
  process.stdout.write(answer, () => process.exit(0));
  return noAnswer;
});
