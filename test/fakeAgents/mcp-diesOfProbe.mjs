// @ts-check
// Exits if the first message isn't `initialize`, as servers of the Rust SDK do.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.handlers.set('server/discover', () => {
  process.stderr.write('expected initialize\n', () => process.exit(1));
  return new Promise(() => undefined);
});
server.serve();
