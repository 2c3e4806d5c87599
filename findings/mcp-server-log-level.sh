#!/usr/bin/env bash
# Expected: an MCP server built with the official SDK logs only what the client asked for. Protocol
# 2026-07-28 has a level per request, _meta "io.modelcontextprotocol/logLevel", and says that a
# server must not send notifications/message for a request without it.
# What happens: ctx.mcpReq.log() obeys. server.sendLoggingMessage() sends every message at every
# level, even if no level was asked for. On 2025-11-25 the same server obeys logging/setLevel.
# Why it matters: a server that worked for years sends its debug output to each client that speaks
# the newer protocol. The client can't stop it: setLoggingLevel() is refused there. To a log
# viewer it looks as if the client had asked for debug, which no message in the recording shows.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund \
  @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 zod@4.6.7

cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
serveStdio(() => {
  const mcp = new McpServer({ name: 'server', version: '1' }, { capabilities: { logging: {} } });
  mcp.registerTool('work', { inputSchema: z.object({}) }, async (_input, ctx) => {
    await ctx.mcpReq.log('debug', 'debug by ctx.mcpReq.log');
    await mcp.server.sendLoggingMessage({ level: 'debug', data: 'debug by sendLoggingMessage' });
    return { content: [] };
  });
  return mcp;
});
JS

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { version } = JSON.parse(readFileSync('node_modules/@modelcontextprotocol/server/package.json'));
console.log(`@modelcontextprotocol/server ${version}`);
const logged = {};
async function connect(mode) {
  const client = new Client({ name: 'client', version: '1' }, { versionNegotiation: { mode } });
  const seen = [];
  client.setNotificationHandler('notifications/message', ({ params }) => seen.push(params.data));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }));
  const call = async (asked, _meta) => {
    seen.length = 0;
    await client.callTool({ name: 'work', arguments: {}, ...(_meta && { _meta }) });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const key = `${client.getNegotiatedProtocolVersion()}, ${asked}`;
    logged[key] = String(seen);
    console.log(`  ${key}: [${seen}]`);
  };
  return { client, call };
}
const modern = await connect('auto');
const refused = await modern.client.setLoggingLevel('error').catch(({ code }) => code);
await modern.call('no level asked for');
await modern.call('error asked for', { 'io.modelcontextprotocol/logLevel': 'error' });
await modern.client.close();
const legacy = await connect('legacy');
await legacy.client.setLoggingLevel('error');
await legacy.call('error asked for');
await legacy.client.close();
console.log(`  setLoggingLevel() on 2026-07-28: ${refused}`);
const unasked = 'debug by sendLoggingMessage';
const asStated =
  logged['2026-07-28, no level asked for'] === unasked &&
  logged['2026-07-28, error asked for'] === unasked &&
  logged['2025-11-25, error asked for'] === '' &&
  refused === 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION';
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
