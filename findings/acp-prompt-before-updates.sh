#!/usr/bin/env bash
# Expected: when prompt() resolves, an ACP client has handled the updates that came before the
# answer. The agent sent them first, and the handler is an async function the library awaits.
# What happens: the library doesn't wait. Each handler starts when its message comes, so an await in
# one lets the next begin, and the prompt resolves while every one of them is still running.
# Why it matters: a client that writes each update to a file or database and closes it when the
# turn ends loses the last ones, or the whole turn if it was fast. Awaits of different length
# swap updates, so "completed" can be stored before "pending". No error appears anywhere; the
# cure is a queue of one's own, which the prompt's caller has to wait for.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @agentclientprotocol/sdk@2.4.0

cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import { agent, client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

const { version } = JSON.parse(readFileSync('node_modules/@agentclientprotocol/sdk/package.json'));
console.log(`@agentclientprotocol/sdk ${version}`);
const toAgent = new PassThrough();
const toClient = new PassThrough();
const stream = (input, output) => ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
const updates = [
  { sessionUpdate: 'tool_call', toolCallId: 'call', title: 'Build', status: 'pending' },
  { sessionUpdate: 'tool_call_update', toolCallId: 'call', status: 'completed' },
];
agent({ name: 'agent' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
  .onRequest(methods.agent.session.prompt, async ({ client: peer }) => {
    for (const update of updates) await peer.notify(methods.client.session.update, { sessionId: 's', update });
    return { stopReason: 'end_turn' };
  })
  .connect(stream(toAgent, toClient));

const events = [];
const delays = { pending: 1000, completed: 100 };
await client({ name: 'client' })
  .onNotification(methods.client.session.update, async ({ params }) => {
    const { status } = params.update;
    events.push(`${status} arrives`);
    await new Promise((resolve) => setTimeout(resolve, delays[status]));
    events.push(`${status} stored`);
  })
  .connectWith(stream(toClient, toAgent), async (ctx) => {
    await ctx.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    await ctx.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
    await ctx.request(methods.agent.session.prompt, { sessionId: 's', prompt: [{ type: 'text', text: 'Build' }] });
    events.push('prompt resolves');
    await new Promise((resolve) => setTimeout(resolve, 1500));
  });
for (const event of events) console.log(`  ${event}`);
const asStated =
  String(events) === 'pending arrives,completed arrives,prompt resolves,completed stored,pending stored';
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
