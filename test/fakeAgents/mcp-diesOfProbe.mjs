// @ts-check
// Exits if the first message isn't `initialize`, as servers of the Rust SDK do: with code 1, or with the given one.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.handlers.set('server/discover', () => {
  process.stderr.write('expected initialize\n', () => process.exit(Number(process.argv[2] ?? 1)));
  return new Promise(() => undefined);
});
server.serve();
