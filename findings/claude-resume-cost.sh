#!/usr/bin/env bash
# Expected: the result record of `claude -p --resume` describes that run. Its usage, cost and time
# belong together, so the costs of three runs can be added up.
# What happens: in one and the same record, usage and duration_ms are this run's, but
# total_cost_usd, modelUsage and duration_api_ms are sums over the whole session, earlier
# processes included. Three equal runs report 1, 2 and 3 times the cost of one.
# Why it matters: scripts that resume a session and add up total_cost_usd count each run again with
# every later one: twice the true cost after three runs, five times after nine. Dividing the
# cost by usage gives a price per token that rises from run to run. No field says which is which.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @anthropic-ai/claude-code@2.1.332
mkdir home project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

// A model that always answers "Hi." for 1,000 tokens in and 100 out.
const usage = { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 100 };
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (!request.url.startsWith('/v1/messages')) return response.writeHead(404).end('{}');
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: JSON.parse(body).model, usage };
  const events = [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  response.setHeader('content-type', 'text/event-stream');
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const env = {
  PATH: process.env.PATH,
  HOME: `${process.cwd()}/home`,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.address().port}`,
  ANTHROPIC_API_KEY: 'placeholder',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};
async function claude(...args) {
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 };
  const child = spawn('../node_modules/.bin/claude', args, options);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return output.trim();
}
console.log(await claude('--version'));
const runs = [];
for (let run = 1; run <= 3; run++) {
  const resume = runs.length === 0 ? [] : ['--resume', runs[0].session_id];
  const result = JSON.parse(await claude('-p', 'Hello', ...resume, '--output-format', 'json'));
  runs.push(result);
  const inTotal = Object.values(result.modelUsage)[0].inputTokens;
  console.log(
    `  run ${run}: usage.input_tokens ${result.usage.input_tokens}, modelUsage inputTokens ${inTotal},`,
    `total_cost_usd ${result.total_cost_usd.toFixed(4)}`,
  );
}
model.close();
const asStated = runs.every(
  (run, index) =>
    run.session_id === runs[0].session_id &&
    run.usage.input_tokens === 1000 &&
    Object.values(run.modelUsage)[0].inputTokens === 1000 * (index + 1) &&
    Math.abs(run.total_cost_usd / runs[0].total_cost_usd - (index + 1)) < 0.001,
);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
