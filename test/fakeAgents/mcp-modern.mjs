// @ts-check
// A server that supports 2026-07-28 only. Its argument is the delay of its `server/discover` response, in milliseconds.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const [, , delay = '0'] = process.argv;
const server = new FakeMcpServer({ era: 'modern' });
server.handlers.set('server/discover', async () => {
  await new Promise((resolve) => setTimeout(resolve, Number(delay)));
  return server.discover();
});
server.serve();
