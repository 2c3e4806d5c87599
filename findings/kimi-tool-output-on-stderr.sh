#!/usr/bin/env bash
# Expected: with --output-format stream-json, Kimi Code prints records on stdout and only trouble of
# its own on stderr.
# What happens: whatever a tool prints, on its stdout as well, is also copied raw to Kimi's stderr
# while it runs. So the text "error: out of memory", written by a program that succeeds, stands on
# the stderr of an agent that is fine and exits with 0. The record on stdout has it once more.
# Why it matters: stderr is where Kimi reports its real failures: a rejected key is found there
# and nowhere in the stream. A supervisor or log viewer that reads stderr for errors can't tell the
# two apart, as the copied lines have no mark at all.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @moonshot-ai/kimi-code@2.1.0 node@24.21.0
mkdir -p home/.kimi-code project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const command = 'echo "error: out of memory"';
let key = '';
// A model that runs `command` once, then says "Done."; or one that refuses the key.
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (key === 'wrong') {
    const error = { message: 'Incorrect API key provided.', type: 'authentication_error' };
    return response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  }
  const run = JSON.parse(body).messages.at(-1).role === 'user';
  const call = { name: 'Bash', arguments: JSON.stringify({ command }) };
  const delta = run ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] } : { content: 'Done.' };
  const choices = [
    { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: run ? 'tool_calls' : 'stop' },
  ];
  response.setHeader('content-type', 'text/event-stream');
  const chunk = { id: 'chunk', object: 'chat.completion.chunk', created: 1, model: 'mock' };
  for (const choice of choices) response.write(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`);
  response.end('data: [DONE]\n\n');
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const env = {
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
  HOME: `${process.cwd()}/home`,
  KIMI_CODE_NO_AUTO_UPDATE: '1',
};
console.log(`@moonshot-ai/kimi-code ${JSON.parse(readFileSync('node_modules/@moonshot-ai/kimi-code/package.json')).version}`);
const seen = {};
for (key of ['placeholder', 'wrong']) {
  writeFileSync(
    'home/.kimi-code/config.toml',
    `default_model = "mock"
[providers.mock]
type = "openai"
base_url = "http://127.0.0.1:${model.address().port}/v1"
api_key = "${key}"
[models.mock]
provider = "mock"
model = "mock"
max_context_size = 100000
`,
  );
  const args = ['-p', 'Run it.', '--output-format', 'stream-json'];
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 };
  const child = spawn('../node_modules/.bin/kimi', args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  seen[key] = { exitCode, stdout, stderr };
  console.log(`  key ${key}: exit code ${exitCode}\n    stderr: ${JSON.stringify(stderr.slice(0, 200))}`);
}
model.close();
const { placeholder, wrong } = seen;
const asStated =
  placeholder.exitCode === 0 &&
  placeholder.stderr.trim() === 'error: out of memory' &&
  placeholder.stdout.includes('error: out of memory') &&
  wrong.exitCode === 1 &&
  /Incorrect API key/.test(wrong.stderr) &&
  !/Incorrect API key|401/.test(wrong.stdout);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
