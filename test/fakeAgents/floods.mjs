// @ts-check
// After initialize, sends as many logs as its argument says (default: 10000) as fast as the client reads them, then exits with code 0.
import { once } from 'node:events';
import { FakeAgent, numberArgument } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
let floods = false;
agent.on('initialize', () => {
  if (!floods) setImmediate(() => void flood(numberArgument(10_000)));
  floods = true;
  return { protocolVersion: 1 };
});

/** @param {number} total */
async function flood(total) {
  for (let n = 1; n <= total; n++) {
    agent.log('info', `Message ${n} of ${total}`, { data: { n } });
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
  process.stdout.write('', () => process.exit(0));
}
