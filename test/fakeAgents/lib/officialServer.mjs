// @ts-check
// A server made with the official library, as a reference for each protocol version.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

const noArguments = fromJsonSchema({ type: 'object', properties: {} });

/** @param {import('@modelcontextprotocol/server').ServerContext['mcpReq']} request */
async function begin({ _meta, notify }) {
  const params = { progressToken: _meta?.progressToken ?? '', progress: 1, total: 2 };
  await notify({ method: 'notifications/progress', params });
}

export function officialServer() {
  const server = new McpServer({ name: 'official', version: '1' }, { capabilities: { logging: {} } });
  server.registerTool('work', { description: 'Works.', inputSchema: noArguments }, async (_args, { mcpReq }) => {
    await begin(mcpReq);
    for (const level of /** @type {const} */ (['debug', 'warning', 'alert'])) {
      // Deprecated along with the rest of MCP logging, which is what this tests.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      await mcpReq.log(level, `said at ${level}`, 'work');
    }
    return { content: [{ type: 'text', text: 'worked' }] };
  });
  server.registerTool('hang', { description: 'Hangs.', inputSchema: noArguments }, async (_args, { mcpReq }) => {
    await begin(mcpReq);
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
    process.stderr.write('hung up\n');
    return { content: [] };
  });
  server.registerTool('screenshot', { description: 'Large.', inputSchema: noArguments }, () => ({
    content: [{ type: 'image', data: 'iVBO'.repeat(768 * 1024), mimeType: 'image/png' }],
  }));
  return server;
}
