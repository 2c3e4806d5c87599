// @ts-check
// Declares `logging`, and answers `logging/setLevel` with the error whose code is its argument; without one, not at all.
import { FakeMcpServer, noAnswer, RpcError } from './lib/fakeMcpServer.mjs';

const [, , code] = process.argv;
const server = new FakeMcpServer();
server.handlers.set('logging/setLevel', () => {
  if (code === undefined) return noAnswer;
  throw new RpcError(Number(code), 'Not with me.');
});
server.serve();
