// @ts-check
// Declares `logging`, and answers `logging/setLevel` with the error code given as its argument; without one, it doesn't answer.
import { FakeMcpServer, noAnswer, RpcError } from './lib/fakeMcpServer.mjs';

const [, , code] = process.argv;
const server = new FakeMcpServer();
server.handlers.set('logging/setLevel', () => {
  if (code === undefined) return noAnswer;
  throw new RpcError(Number(code), 'Not with me.');
});
server.serve();
