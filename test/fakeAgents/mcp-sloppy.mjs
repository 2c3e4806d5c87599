// @ts-check
// Answers with fields that are `null`, missing or of the wrong type. Its argument: `modern` for 2026-07-28.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const isModern = process.argv[2] === 'modern';
const server = new FakeMcpServer({ era: isModern ? 'modern' : 'legacy' });
const hello = { capabilities: { tools: true, logging: true, prompts: null }, instructions: null };
if (isModern) {
  const serverInfo = { name: 'sloppy', title: null };
  server.handlers.set('server/discover', () => ({
    ...hello,
    supportedVersions: ['2026-07-28', null],
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  }));
} else {
  const serverInfo = { name: 'sloppy', version: 1, title: null };
  server.handlers.set('initialize', () => ({ ...hello, protocolVersion: '2025-11-25', serverInfo, _meta: null }));
}
server.handlers.set('logging/setLevel', () => ({ ok: true }));
server.handlers.set('tools/list', () => ({
  tools: [
    {
      name: 'echo',
      description: null,
      inputSchema: { type: 'object', required: null },
      outputSchema: { type: 'object' },
    },
    { name: 'bare' },
    { description: 'has no name' },
    'no tool',
  ],
  nextCursor: null,
}));
server.handlers.set('tools/call', ({ arguments: args }) => args);
server.serve();
