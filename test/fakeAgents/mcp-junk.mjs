// @ts-check
// Prints text that isn't a message to stdout, before and between messages, and answers one call with 2 MiB.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

process.stdout.write('Listening on stdio…\n\n[1,2]\n"text"\n{"jsonrpc":"2.0","id":{},"result":{}}\n');
const server = new FakeMcpServer();
server.tools.set('huge', () => 'x'.repeat(2 * 1024 * 1024));
server.tools.set('noisy', () => {
  process.stdout.write('working…\n{"jsonrpc":"2.0","id":\n');
  return 'quiet again';
});
server.serve();
