// @ts-check
// A correct server for revisions up to 2025-11-25, which exits in the middle of the call `die`.
import { closeStdout } from './lib/closeStdout.mjs';
import { FakeMcpServer, noAnswer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.tools.set('die', () => {
  process.stderr.write('out of luck\n', () => process.exit(7));
  return noAnswer;
});
server.tools.set('closeStdout', () => {
  closeStdout();
  return noAnswer;
});
server.serve();
