#!/usr/bin/env bash
# Expected: `codex exec` that prints "Reconnecting... 1/5" to "5/5" has sent six requests at most,
# and its last error says what the model server answered: status 500 and its message.
# What happens: each of the six attempts is itself five requests, so the server gets 30 for one
# prompt. The events never have the status or the server's words. They say "We're currently
# experiencing high demand", whoever runs the server and whatever went wrong there.
# Why it matters: a server that fails under load gets thirty times the load, and a metered one may
# charge for it. With an own model server, the sentence makes one wait for OpenAI instead of
# reading the server's log. A recording can't show the cause, since it never reached the stream.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @openai/codex@0.171.0
mkdir -p home/.codex project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

let requests = 0;
const model = createServer((request, response) => {
  request.resume();
  if (request.method !== 'POST') return response.writeHead(404).end('{}');
  requests++;
  const error = { message: 'The disk of the model server is full.', type: 'server_error' };
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
writeFileSync(
  'home/.codex/config.toml',
  `model = "mock"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${model.address().port}/v1"
wire_api = "responses"
requires_openai_auth = false
`,
);
const env = { PATH: process.env.PATH, HOME: `${process.cwd()}/home` };
async function codex(...args) {
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 180_000 };
  const child = spawn('../node_modules/.bin/codex', args, options);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return output.trim();
}
console.log(await codex('--version'));
const output = await codex('exec', '--skip-git-repo-check', '--json', 'Hello');
model.close();
const events = output.split('\n').map((line) => JSON.parse(line));
const errors = events.filter(({ type }) => type === 'error').map(({ message }) => message);
const announced = errors.filter((message) => message.startsWith('Reconnecting')).length;
const cause = /500|disk/.test(errors.join());
console.log(`  requests: ${requests}, reconnections announced: ${announced}, cause in the events: ${cause}`);
console.log(`  last event: ${JSON.stringify(events.at(-1))}`);
const asStated = requests === 30 && announced === 5 && !cause && /high demand/.test(errors.at(-1));
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
