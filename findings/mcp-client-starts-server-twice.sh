#!/usr/bin/env bash
# Expected: an MCP client starts a stdio server once per connection, whatever protocol it speaks.
# What happens: with versionNegotiation "auto", the official client starts the program twice. The
# first process is asked server/discover, then stopped (end of stdin and SIGTERM). What it prints to
# stderr is discarded, although the transport says "inherit". The second one is the real server.
# Why it matters: whatever a server does on startup happens twice: it opens its database, takes a
# lock or a port, logs in, counts a start. If only the first start fails, its reason is lost with
# its stderr. A log of processes has two runs for one connection, and the first looks as if it had
# been killed for no reason.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund \
  @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 zod@4.6.7

cat >server.mjs <<'JS'
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
const note = (text) => appendFileSync('starts.log', `${process.pid} ${text}\n`);
note('started');
console.error('started');
createInterface({ input: process.stdin }).on('line', (line) => note(JSON.parse(line).method));
process.on('SIGTERM', () => {
  note('SIGTERM');
  process.exit();
});
serveStdio(() => {
  const mcp = new McpServer({ name: 'server', version: '1' });
  mcp.registerTool('work', { inputSchema: z.object({}) }, () => ({ content: [] }));
  return mcp;
});
JS

cat >client.mjs <<'JS'
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const client = new Client({ name: 'client', version: '1' }, { versionNegotiation: { mode: 'auto' } });
const transport = new StdioClientTransport({ command: process.execPath, args: ['server.mjs'], stderr: 'inherit' });
await client.connect(transport);
await client.callTool({ name: 'work', arguments: {} });
await client.close();
JS

cat >run.mjs <<'JS'
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('node_modules/@modelcontextprotocol/client/package.json'));
const { stderr } = spawnSync(process.execPath, ['client.mjs'], { encoding: 'utf8' });
const notes = readFileSync('starts.log', 'utf8').trim().split('\n');
const processes = [...new Set(notes.map((note) => note.split(' ')[0]))];
const runs = processes.map((id) => notes.filter((note) => note.startsWith(id)).map((note) => note.split(' ')[1]));
console.log(`@modelcontextprotocol/client ${version}`);
runs.forEach((run, index) => console.log(`  process ${index + 1}: ${run.join(', ')}`));
const inherited = stderr.split('\n').filter((line) => line === 'started').length;
console.log(`  "started" on the client's stderr: ${inherited} of ${runs.length}`);
const asStated =
  runs.length === 2 &&
  /^started,server\/discover(,SIGTERM)?$/.test(String(runs[0])) &&
  runs[1].includes('tools/call') &&
  inherited === 1;
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
