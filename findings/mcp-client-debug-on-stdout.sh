#!/usr/bin/env bash
# Expected: a client library writes nothing to the standard output of the program that uses it.
# In MCP above all: a proxy or gateway over stdio is a client whose own stdout carries JSON-RPC.
# What happens: listPrompts(), listResources(), listResourceTemplates() and listTools() print a
# sentence with console.debug, which Node sends to stdout, if the server has no such capability.
# They then return an empty list without asking the server. The 1.x SDK printed nothing.
# Why it matters: a proxy that lists everything once puts plain text between its own messages,
# its host reports invalid JSON, and the author searches the server behind it. The line comes
# only with servers that lack a capability, so a test against a complete server never shows it.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @modelcontextprotocol/client@2.4.0

cat >server.mjs <<'JS'
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const { protocolVersion } = params ?? {};
  const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'server', version: '1' } };
  const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: `No ${method}` } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
JS

cat >client.mjs <<'JS'
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const client = new Client({ name: 'client', version: '1' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }));
const { prompts } = await client.listPrompts();
const { tools } = await client.listTools();
console.error(`${prompts.length} prompts, ${tools.length} tools`);
await client.close();
JS

cat >run.mjs <<'JS'
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('node_modules/@modelcontextprotocol/client/package.json'));
const { stdout, stderr } = spawnSync(process.execPath, ['client.mjs'], { encoding: 'utf8' });
console.log(`@modelcontextprotocol/client ${version}`);
console.log(`  stderr, by the program: ${stderr.trim()}`);
for (const line of stdout.trim().split('\n')) console.log(`  stdout, by the library: ${line}`);
const asStated =
  stderr.trim() === '0 prompts, 0 tools' && /listPrompts\(\) called/.test(stdout) && /listTools\(\) called/.test(stdout);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
