// @ts-check
// Knows only version 1. Its argument is what it does with `initialize` apart from the first, or with an offer of version 2:
//   error, exit, hang, done     for a repeated initialize
//   refuse, crash               for an offer of version 2
import { FakeAgent, noAnswer, RpcError } from './lib/fakeAgent.mjs';

const [, , how] = process.argv;
const agent = new FakeAgent();
const answer = agent.handlers.get('initialize');
let count = 0;
agent.on('initialize', (params, id) => {
  count++;
  const isOffer = params['protocolVersion'] !== 1;
  if (isOffer && how === 'refuse') throw new RpcError(-32603, 'Unknown protocol version');
  if (isOffer && how === 'crash') {
    process.stderr.write('ValueError: unsupported protocolVersion 2\n');
    process.exit(1);
  }
  if (count > 1 && how === 'error') throw new RpcError(-32600, 'Already initialized');
  if (count > 1 && how === 'exit') process.exit(1);
  if (count > 1 && how === 'done') process.exit(0);
  if (count > 1 && how === 'hang') return noAnswer;
  return answer?.(params, id);
});
