#!/usr/bin/env bash
# Expected: an ACP agent sees what the client declares in `clientCapabilities`, also capabilities of
# proposals and of clients newer than the SDK.
# What happens: capabilities that the SDK doesn't know, such as `logging`, are removed from
# `initialize` before the agent's handler gets it; so are unknown fields inside known ones. Only
# `_meta` arrives as it was sent. Custom requests and notifications work, so an agent can answer
# `logging/setLevel`, but it can't know that the client wants logs.
# Why it matters: an agent that follows a proposal by its capability stays silent with every client,
# without any error. What should reach agents of this SDK belongs in `_meta`.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @agentclientprotocol/sdk@2.4.0

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';

const { version } = JSON.parse(readFileSync('node_modules/@agentclientprotocol/sdk/package.json'));
console.log(`@agentclientprotocol/sdk ${version}`);
const sent = {
  logging: { level: 'debug' },
  session: { notices: {}, logging: { level: 'debug' } },
  _meta: { 'agent-logs': { logging: { level: 'debug' } } },
};
const input = new PassThrough();
const received = await new Promise((resolve) => {
  agent({ name: 'agent' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      resolve(params.clientCapabilities);
      return { protocolVersion: 1, agentCapabilities: {} };
    })
    .connect(ndJsonStream(Writable.toWeb(new PassThrough()), Readable.toWeb(input)));
  const params = { protocolVersion: 1, clientCapabilities: sent };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
});
console.log(`  sent      ${JSON.stringify(sent)}`);
console.log(`  received  ${JSON.stringify(received)}`);
const asStated =
  !('logging' in received) &&
  !('logging' in received.session) &&
  JSON.stringify(received._meta) === JSON.stringify(sent._meta);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
