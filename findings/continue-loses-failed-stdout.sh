#!/usr/bin/env bash
# Expected: when a command fails, a coding agent gives its model and its session file all that the
# command has printed, as it does when a command succeeds.
# What happens: Continue's command line keeps stderr only, if there is any: everything on stdout is
# lost to both. With nothing on stderr, stdout is kept, but then the exit code isn't mentioned, and
# the result reads like that of a command that succeeded.
# Why it matters: test runners, compilers and linters report failures on stdout, and one line on
# stderr, even a deprecation warning, is enough to lose the whole report. The model guesses or runs
# the tests again. A session file that shows no output doesn't mean that there was none.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @continuedev/cli@1.5.47
mkdir -p home project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

// A model that runs `command` once, then says "Done.", and keeps what the tool told it.
let command = '';
let told;
const model = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { messages } = JSON.parse(body);
  const last = messages.at(-1);
  if (last.role === 'tool') told = last.content;
  const run = last.role === 'user';
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
writeFileSync(
  'home/config.yaml',
  `name: mock
version: 1.0.0
schema: v1
models:
  - name: mock
    provider: openai
    model: mock
    apiBase: http://127.0.0.1:${model.address().port}/v1
    apiKey: placeholder
    roles: [chat]
    capabilities: [tool_use]
`,
);
console.log(`@continuedev/cli ${JSON.parse(readFileSync('node_modules/@continuedev/cli/package.json')).version}`);
const env = { PATH: process.env.PATH, HOME: `${process.cwd()}/home`, CONTINUE_TELEMETRY_ENABLED: '0' };
const seen = [];
for (command of ['echo report; echo warning >&2', 'echo report; exit 3', 'echo report; echo warning >&2; exit 3']) {
  const args = ['-p', 'Run it.', '--auto', '--config', '../home/config.yaml'];
  const child = spawn('../node_modules/.bin/cn', args, { cwd: 'project', env, stdio: 'ignore', timeout: 120_000 });
  await new Promise((resolve) => child.on('exit', resolve));
  seen.push(told);
  console.log(`  ${command}\n    told the model: ${JSON.stringify(told)}`);
}
model.close();
const saved = readdirSync('home/.continue/sessions')
  .filter((name) => name !== 'sessions.json')
  .map((name) => JSON.parse(readFileSync(`home/.continue/sessions/${name}`)))
  .flatMap(({ history }) => history.flatMap(({ toolCallStates }) => toolCallStates ?? []))
  .map(({ output }) => output[0].content);
const complete = saved.filter((text) => text.includes('report')).length;
console.log(`  saved results that have stdout: ${complete} of ${saved.length}`);
const [passed, quiet, failed] = seen;
const asStated =
  /report/.test(passed) &&
  quiet === 'report\n' &&
  /exit code 3/.test(failed) &&
  !/report/.test(failed) &&
  complete === 2 &&
  saved.length === 3;
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
