#!/usr/bin/env bash
# Expected: a caller of the MCP client can tell a request that it cancelled itself from one that the
# server took too long to answer.
# What happens: both reject with the same class and the same code, REQUEST_TIMEOUT in the 2.x client
# and -32001 in the 1.x SDK. The reason given to abort() isn't thrown, nor is it the error's cause:
# its text becomes the message of the timeout error.
# Why it matters: code that retries after a timeout retries what the user has just cancelled, and
# statistics count impatient users as slow servers. To be sure, the caller has to look at its own
# signal; a wrapper or a log that only sees the error can't tell the two apart.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2

cat >server.mjs <<'JS'
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== 'initialize') return;
  const { protocolVersion } = params;
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'server', version: '1' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
JS

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js';

let asStated = true;
for (const [name, AClient, Transport, timeoutCode] of [
  ['client', Client, StdioClientTransport, 'REQUEST_TIMEOUT'],
  ['sdk', Client1, Transport1, -32001],
]) {
  const { version } = JSON.parse(readFileSync(`node_modules/@modelcontextprotocol/${name}/package.json`));
  console.log(`@modelcontextprotocol/${name} ${version}`);
  const client = new AClient({ name: 'client', version: '1' });
  await client.connect(new Transport({ command: process.execPath, args: ['server.mjs'] }));
  const failure = (options) => {
    const call = name === 'sdk' ? [undefined, options] : [options];
    return client.callTool({ name: 'work', arguments: {} }, ...call).catch((error) => error);
  };
  const late = await failure({ timeout: 200 });
  const abort = new AbortController();
  const reason = new Error('The user pressed Escape');
  setTimeout(() => abort.abort(reason), 200);
  const aborted = await failure({ signal: abort.signal });
  await client.close();
  for (const [what, error] of [['timeout', late], ['abort', aborted]])
    console.log(`  ${what}: ${error.constructor.name}, code ${error.code}, "${error.message}", cause ${error.cause}`);
  asStated &&=
    late.code === timeoutCode &&
    aborted.code === timeoutCode &&
    aborted.constructor === late.constructor &&
    aborted !== reason &&
    aborted.cause === undefined &&
    aborted.message.includes('The user pressed Escape');
}
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
