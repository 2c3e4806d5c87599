#!/usr/bin/env bash
# Expected: Copilot CLI hides the key of an own model provider where it could leak. What it prints
# with --output-format json keeps its record types and field names.
# What happens: every occurrence of the key's text is replaced, in the finished JSON, in the names
# of its fields and record types as well. With "x" as the key of a local server that needs none,
# exitCode is printed as "e******itCode" and tool.execution_start as "tool.e******ecution_start".
# Why it matters: each line is still valid JSON, so a reader finds no error: it just never sees a
# tool start, or the exit code. Placeholder keys are usual with local servers. One such as "test"
# leaves the fields alone, but hides the word in commands and output: "npm ******".

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @github/copilot@1.0.102 node@24.21.0
mkdir home project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// A model that runs `npm test` once, then says "Done."
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return response.setHeader('content-type', 'application/json').end('{"data":[]}');
  const run = JSON.parse(body).messages.at(-1).role === 'user';
  const call = { name: 'bash', arguments: JSON.stringify({ command: 'echo npm test', description: 'Run' }) };
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
console.log(`@github/copilot ${JSON.parse(readFileSync('node_modules/@github/copilot/package.json')).version}`);
const seen = {};
for (const key of ['placeholder', 'test', 'x']) {
  const env = {
    PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
    HOME: `${process.cwd()}/home`,
    COPILOT_OFFLINE: 'true',
    COPILOT_MODEL: 'mock',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
    COPILOT_PROVIDER_API_KEY: key,
  };
  const args = ['-p', 'Run it.', '--allow-all-tools', '--output-format', 'json'];
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 180_000 };
  const child = spawn('../node_modules/.bin/copilot', args, options);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const records = output.trim().split('\n').map((line) => JSON.parse(line));
  const start = records.find(({ type, data }) => /^tool\..*ecution_start$/.test(type) && data?.arguments);
  const last = records.at(-1);
  seen[key] = { start: start.type, command: start.data.arguments.command, last: Object.keys(last) };
  console.log(`  key "${key}": record ${start.type}, command "${start.data.arguments.command}"`);
  console.log(`    fields of the last record: ${Object.keys(last)}`);
}
model.close();
const asStated =
  seen.placeholder.start === 'tool.execution_start' &&
  seen.placeholder.command === 'echo npm test' &&
  seen.placeholder.last.includes('exitCode') &&
  seen.test.command === 'echo npm ******' &&
  seen.x.start === 'tool.e******ecution_start' &&
  seen.x.last.includes('e******itCode') &&
  !seen.x.last.includes('exitCode');
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
