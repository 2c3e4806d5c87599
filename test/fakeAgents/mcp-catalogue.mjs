// @ts-check
// The catalogue of a bookshop: reports progress, logs, prints to stderr, answers at length, and fails.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const server = new FakeMcpServer();
server.tools.clear();
server.tools.set('find', async ({ params, progress, send }) => {
  const { title, limit } = /** @type {{ title: string, limit: number }} */ (params['arguments']);
  progress(1, 'Reading the index');
  await pause(150);
  process.stderr.write('index: 2 of 3 shards answered\n');
  server.log('warning', 'The index is 9 days old', send, params);
  progress(2, 'Sorting');
  await pause(150);
  const books = Array.from({ length: limit }, (_, i) => `${i + 1}. ${title}, edition of ${1973 + i}, 320 pages`);
  return books.join('\n');
});
server.tools.set('stock', async ({ params }) => {
  const { shop } = /** @type {{ shop: string }} */ (params['arguments']);
  await pause(100);
  return JSON.stringify({ shop, momo: 3 });
});
const inputSchema = { type: 'object' };
server.handlers.set('tools/list', () => ({
  tools: [
    { name: 'find', description: 'Finds the editions of a book.', inputSchema },
    { name: 'stock', description: 'Says what a shop has.', inputSchema },
    { name: 'reserve', description: 'Reserves a book.', inputSchema },
  ],
}));
server.handlers.set('tools/call', async (params, id, send) => {
  if (params['name'] !== 'reserve') return server.call(params, id, send);
  await pause(50);
  return { isError: true, content: [{ type: 'text', text: 'The catalogue is read-only since 20 November.' }] };
});
server.serve();

function pause(/** @type {number} */ ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
