// @ts-check
// Writes one to three bytes at a time, so that characters are split across chunks.
import { FakeAgent, sleep } from './lib/fakeAgent.mjs';

let written = Promise.resolve();
const agent = new FakeAgent({
  write(line) {
    written = written.then(() => trickle(line));
  },
});
agent.on('session/prompt', () => {
  agent.log('info', 'ñ 世界 👩‍💻');
  agent.say('Grüße, 世界 👩‍💻!');
  return { stopReason: 'end_turn' };
});

/** @param {string} line */
async function trickle(line) {
  const bytes = Buffer.from(line);
  for (let from = 0, size = 1; from < bytes.length; from += size, size = (size % 3) + 1) {
    process.stdout.write(bytes.subarray(from, from + size));
    await sleep(0);
  }
}
