// @ts-check
// Has a tool with a form for its arguments, which reports progress and then waits to be cancelled.
import { FakeMcpServer, noAnswer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.tools.set('copy', ({ params, progress }) => {
  const { files } = /** @type {{ files: number }} */ (params['arguments']);
  progress(2, `copied 2 of ${files} files`);
  return noAnswer;
});
const inputSchema = {
  type: 'object',
  required: ['files'],
  properties: {
    files: { type: 'integer', description: 'How many files' },
    mode: { enum: ['fast', 'careful'], description: 'How to copy them' },
    names: { type: 'array', items: { type: 'string' } },
  },
};
server.handlers.set('tools/list', () => ({
  tools: [
    { name: 'copy', description: 'Copies files.', inputSchema },
    { name: 'work', description: 'Logs at every level.', inputSchema: { type: 'object' } },
  ],
}));
server.serve();
