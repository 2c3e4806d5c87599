// @ts-check
// Doesn't answer unknown requests.
import { FakeMcpServer, noAnswer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.handlers.set('server/discover', () => noAnswer);
server.serve();
