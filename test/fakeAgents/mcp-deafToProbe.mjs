// @ts-check
// Does not answer what it does not know.
import { FakeMcpServer, noAnswer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.handlers.set('server/discover', () => noAnswer);
server.serve();
