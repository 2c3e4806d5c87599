#!/usr/bin/env bash
# Expected: an ACP agent answers a prompt that was cancelled with the stop reason "cancelled". The
# protocol requires it, so that clients can tell a cancelled turn from a finished one.
# What happens: OpenCode does so while the model answers slowly. If the model server fails with
# 500 and OpenCode waits to retry, session/cancel ends the turn with "end_turn": a regular end,
# without a message, a tool call or a token. The 500 itself is mentioned nowhere in the protocol.
# Why it matters: the user sees a turn that waits, cancels it, and gets an empty answer marked as
# complete. Statistics of completed turns include it. Nothing the agent sent says that the user
# cancelled or that the model failed: a log has to conclude it from the client's own request.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund opencode-ai@1.18.33
mkdir -p home/.config/opencode project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

// A model server that is slow, or fails with 500. Requests with tools are those of the turn.
let mode = 'slow';
let asked;
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const error = { message: 'The model server failed.', type: 'server_error' };
  if (mode === 'fails') response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  if (JSON.parse(body).tools?.length) asked();
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const provider = {
  npm: '@ai-sdk/openai-compatible',
  name: 'Mock',
  options: { baseURL: `http://127.0.0.1:${model.address().port}/v1`, apiKey: 'placeholder' },
  models: { mock: { name: 'mock', tool_call: true } },
};
const settings = { model: 'mock/mock', small_model: 'mock/mock', autoupdate: false, share: 'disabled', provider: { mock: provider } };
writeFileSync('home/.config/opencode/opencode.json', JSON.stringify(settings));
const env = {
  PATH: process.env.PATH,
  HOME: `${process.cwd()}/home`,
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
};
const agent = spawn('node_modules/.bin/opencode', ['acp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map();
let updates = [];
createInterface({ input: agent.stdout }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
  else if (method === 'session/update') updates.push(params.update);
});
const send = (fields) => agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`);
let ids = 0;
const request = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++ids, resolve);
    send({ id: ids, method, params });
  });
const { agentInfo } = await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
console.log(`${agentInfo.name} ${agentInfo.version}`);
const seen = {};
for (mode of ['slow', 'fails']) {
  const { sessionId } = await request('session/new', { cwd: `${process.cwd()}/project`, mcpServers: [] });
  const reached = new Promise((resolve) => (asked = resolve));
  updates = [];
  const prompt = request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hello' }] });
  await reached;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  send({ method: 'session/cancel', params: { sessionId } });
  const { stopReason } = await prompt;
  const kinds = [...new Set(updates.map(({ sessionUpdate }) => sessionUpdate))];
  const told = /500|failed/.test(JSON.stringify(updates));
  seen[mode] = { stopReason, told };
  console.log(`  model ${mode}: stopReason ${stopReason}, failure mentioned: ${told}, updates [${kinds}]`);
}
agent.kill('SIGKILL');
model.closeAllConnections();
model.close();
const asStated = seen.slow.stopReason === 'cancelled' && seen.fails.stopReason === 'end_turn' && !seen.fails.told;
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
