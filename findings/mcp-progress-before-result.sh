#!/usr/bin/env bash
# Expected: an MCP client delivers progress that arrives before the result of its request.
# Messages on stdio are ordered, so a fast tool loses nothing.
# What happens: when the progress and the result come in one chunk, as fast servers write them,
# the client settles the request first, then treats the progress as late. onprogress is never
# called; each notification goes to onerror as "a progress notification for an unknown token".
# With a pause between the lines, all of them arrive.
# Why it matters: the last steps of a tool ("3 of 3") go missing at random, and the error blames
# the server for a token it was given. The order on the wire was right all the time.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @modelcontextprotocol/client@2.4.0

cat >server.mjs <<'JS'
import { createInterface } from 'node:readline';
const message = (fields) => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'server', version: '1' };
    process.stdout.write(message({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }));
  }
  if (method !== 'tools/call') return;
  const { progressToken } = params._meta;
  const lines = [1, 2, 3].map((progress) =>
    message({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } }),
  );
  lines.push(message({ id, result: { content: [] } }));
  if (params.name === 'fast') process.stdout.write(lines.join(''));
  else
    for (const each of lines) {
      process.stdout.write(each);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
});
JS

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { version } = JSON.parse(readFileSync('node_modules/@modelcontextprotocol/client/package.json'));
console.log(`@modelcontextprotocol/client ${version}`);
const client = new Client({ name: 'client', version: '1' });
const errors = [];
client.onerror = (error) => errors.push(error.message.split(':')[0]);
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }));
const seen = {};
for (const name of ['slow', 'fast']) {
  seen[name] = [];
  const onprogress = ({ progress }) => seen[name].push(progress);
  await client.callTool({ name, arguments: {} }, { onprogress });
  await new Promise((resolve) => setTimeout(resolve, 300));
  console.log(`  ${name}: progress delivered [${seen[name]}], errors so far ${errors.length}`);
}
console.log(`  ${errors[0]}`);
await client.close();
const asStated =
  String(seen.slow) === '1,2,3' && seen.fast.length === 0 && errors.length === 3 && /unknown token/.test(errors[0]);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
