#!/usr/bin/env bash
# Expected: the official MCP client checks a tool's structured result against its output schema,
# or it doesn't. The answer to the same call shouldn't depend on earlier requests.
# What happens: callTool() returns an invalid result untouched until listTools() has been called
# once on that connection. After that, the same call with the same answer is rejected with -32602.
# Both the 2.x client and the older 1.x SDK do this.
# Why it matters: clients that know their tools by name never notice a broken server, and opening
# a list of tools in the user interface makes calls fail that have worked so far. A log has to
# show whether tools/list came first, or the two behaviours can't be explained.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2

cat >server.mjs <<'JS'
import { createInterface } from 'node:readline';
const tool = {
  name: 'count',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
};
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'server', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [], structuredContent: { n: 'seven' } }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) }));
});
JS

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js';

const call = (client) =>
  client.callTool({ name: 'count', arguments: {} }).then(
    (result) => `accepted ${JSON.stringify(result.structuredContent)}`,
    (error) => `rejected ${error.code}`,
  );
let asStated = true;
for (const [name, AClient, Transport] of [
  ['client', Client, StdioClientTransport],
  ['sdk', Client1, Transport1],
]) {
  const { version } = JSON.parse(readFileSync(`node_modules/@modelcontextprotocol/${name}/package.json`));
  const client = new AClient({ name: 'client', version: '1' });
  await client.connect(new Transport({ command: process.execPath, args: ['server.mjs'] }));
  const before = await call(client);
  await client.listTools();
  const after = await call(client);
  await client.close();
  console.log(`@modelcontextprotocol/${name} ${version}`);
  console.log(`  before tools/list: ${before}\n  after tools/list:  ${after}`);
  asStated &&= before === 'accepted {"n":"seven"}' && after === 'rejected -32602';
}
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
