#!/usr/bin/env bash
# Expected: when a shell command fails, a coding agent tells its model the exit code, and marks the
# tool call as failed. Kimi Code and Copilot CLI, for instance, name the code to the model.
# What happens: OpenCode's tool result to the model is the bare output. A command that prints
# nothing and exits with 3 gives the model exactly the text of one that succeeds. The event stream
# says status "completed"; the code is only in state.metadata.exit, and the run exits with 0.
# Why it matters: the model can't know that a silent check, such as grep -q, test or diff -q, has
# failed, so it may report success in good faith. Scripts that look at the status or at the exit
# code of the run can't know it either; only those that read the metadata do.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund opencode-ai@1.18.33
mkdir -p home/.config/opencode project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

// A model that runs `command` once, then says "Done.", and keeps what the tool told it.
let command = '';
let told;
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { messages, tools } = JSON.parse(body);
  const last = messages.at(-1);
  if (last.role === 'tool') told = last.content;
  const run = tools?.some((tool) => tool.function.name === 'bash') && last.role === 'user';
  const call = { name: 'bash', arguments: JSON.stringify({ command, description: 'Check' }) };
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
console.log(`opencode-ai ${JSON.parse(readFileSync('node_modules/opencode-ai/package.json')).version}`);
const seen = [];
for (command of ['exit 3', 'exit 0']) {
  const args = ['run', '--format', 'json', 'Run the check.'];
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 180_000 };
  const child = spawn('../node_modules/.bin/opencode', args, options);
  const exited = new Promise((resolve) => child.on('exit', resolve));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const exitCode = await exited;
  const events = output.trim().split('\n').map((line) => JSON.parse(line));
  const { status, metadata } = events.find(({ type }) => type === 'tool_use').part.state;
  seen.push({ told: JSON.stringify(told), status, exit: metadata.exit, exitCode });
  console.log(`  command "${command}": told the model ${JSON.stringify(told)}, status ${status},`);
  console.log(`    metadata.exit ${metadata.exit}, exit code of opencode ${exitCode}`);
}
model.close();
const [failed, passed] = seen;
const asStated =
  failed.told === passed.told &&
  failed.status === 'completed' &&
  failed.exit === 3 &&
  passed.exit === 0 &&
  failed.exitCode === 0;
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
