#!/usr/bin/env bash
# Expected: an Error thrown by an ACP agent's handler reaches the client with its message, and its
# code and data if it has some. That is what JSON-RPC's error object has fields for.
# What happens: the message is always "Internal error", the code always -32603; the error's own
# code and data are dropped. The text moves to data.details, but if it parses as JSON, the parsed
# value replaces data as a whole: Error('429') gives data 429, Error('null') gives data null.
# Why it matters: model providers answer with JSON, and agents throw it on as text. One agent then
# sends three shapes of data, and a client that shows error.message shows "Internal error" for
# all. Only RequestError arrives as it was thrown.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @agentclientprotocol/sdk@2.4.0

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import { RequestError, agent, client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

const { version } = JSON.parse(readFileSync('node_modules/@agentclientprotocol/sdk/package.json'));
console.log(`@agentclientprotocol/sdk ${version}`);
const internal = (data) => JSON.stringify([-32603, 'Internal error', data]);
const cases = [
  ['plain text', new Error('no such model'), internal({ details: 'no such model' })],
  ['code and data', Object.assign(new Error('busy'), { code: -32050, data: { wait: 5 } }), internal({ details: 'busy' })],
  ['JSON text', new Error('{"status":429}'), internal({ status: 429 })],
  ['a number', new Error('429'), internal(429)],
  ['null', new Error('null'), internal(null)],
  ['RequestError', new RequestError(-32050, 'busy', { wait: 5 }), JSON.stringify([-32050, 'busy', { wait: 5 }])],
];
const toAgent = new PassThrough();
const toClient = new PassThrough();
const stream = (input, output) => ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
let next = 0;
agent({ name: 'agent' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.prompt, () => {
    throw cases[next++][1];
  })
  .connect(stream(toAgent, toClient));

let asStated = true;
await client({ name: 'client' }).connectWith(stream(toClient, toAgent), async (ctx) => {
  await ctx.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  for (const [name, , stated] of cases) {
    const prompt = { sessionId: 's', prompt: [{ type: 'text', text: name }] };
    const seen = await ctx.request(methods.agent.session.prompt, prompt).then(
      () => 'no error',
      ({ code, message, data }) => JSON.stringify([code, message, data]),
    );
    console.log(`  ${name.padEnd(13)} ${seen}`);
    asStated &&= seen === stated;
  }
});
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
