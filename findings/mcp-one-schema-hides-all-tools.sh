#!/usr/bin/env bash
# Expected: a tool whose Zod schema has no JSON Schema form, such as one with z.date(), is refused
# by registerTool(), or left out of tools/list. The server's other tools stay available.
# What happens: registerTool() accepts it, and the server starts without a word. tools/list then
# fails as a whole with -32603 "Date cannot be represented in JSON Schema", without the tool's
# name, so a client sees no tools at all. Calls by name still work, even those of the bad tool.
# Why it matters: the server looks healthy in its own tests of each tool, and the client reports
# zero tools. The error names neither tool nor field; only removing tools one by one finds it.
# Both the 2.x server package and the older 1.x SDK do this.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund \
  @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as Transport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const outcome = (promise, show) => promise.then(show, (error) => `${error.code} ${error.message}`);
let asStated = true;
for (const [name, Server, AClient, Transport] of [
  ['server', McpServer, Client, InMemoryTransport],
  ['sdk', McpServer1, Client1, Transport1],
]) {
  const { version } = JSON.parse(readFileSync(`node_modules/@modelcontextprotocol/${name}/package.json`));
  const server = new Server({ name: 'server', version: '1' });
  const answer = (text) => () => ({ content: [{ type: 'text', text }] });
  server.registerTool('good', { inputSchema: z.object({ q: z.string() }) }, answer('good'));
  server.registerTool('bad', { inputSchema: z.object({ since: z.date().optional() }) }, answer('bad'));
  const [one, other] = Transport.createLinkedPair();
  await server.connect(one);
  const client = new AClient({ name: 'client', version: '1' });
  await client.connect(other);
  const listed = await outcome(client.listTools(), ({ tools }) => `${tools.length} tools`);
  const text = ({ content }) => content[0].text;
  const good = await outcome(client.callTool({ name: 'good', arguments: { q: 'x' } }), text);
  const bad = await outcome(client.callTool({ name: 'bad', arguments: {} }), text);
  await client.close();
  console.log(`@modelcontextprotocol/${name} ${version}`);
  console.log(`  tools/list: ${listed}\n  tools/call good: ${good}\n  tools/call bad: ${bad}`);
  asStated &&= /^-32603 .*Date cannot be represented in JSON Schema$/.test(listed) && good === 'good' && bad === 'bad';
}
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
