#!/usr/bin/env bash
# Expected: once a program has exited, its SQLite database is in the file of that name. The last
# connection to close moves the write-ahead log into it and deletes the log.
# What happens: after its first run, and a regular exit, OpenCode leaves an opencode.db of 4,096
# bytes without a single table. Sessions, messages and even the schema are in opencode.db-wal.
# Why it matters: a tool that copies or uploads opencode.db alone, as backups and support bundles
# do, has an intact and empty database, and no error says that anything is missing. A reader that
# opens the file as immutable, to leave it untouched, sees no sessions either, since SQLite then
# ignores the log. It has to be opened where it is, with its -wal beside it.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund opencode-ai@1.18.33 sql.js@1.13.0
mkdir -p home/.config/opencode project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import initSqlJs from 'sql.js';

// A model that always says "Hello."
const model = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'text/event-stream');
  const chunk = { id: 'chunk', object: 'chat.completion.chunk', created: 1, model: 'mock' };
  const choices = [
    { index: 0, delta: { role: 'assistant', content: 'Hello.' }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: 'stop' },
  ];
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
const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 180_000 };
const child = spawn('../node_modules/.bin/opencode', ['run', '--format', 'json', 'The prompt.'], options);
const exited = new Promise((resolve) => child.on('exit', (...ending) => resolve(ending)));
let output = '';
for await (const chunk of child.stdout) output += chunk;
const [exitCode, signal] = await exited;
model.close();
const file = 'home/.local/share/opencode/opencode.db';
const { Database } = await initSqlJs();
const bytes = readFileSync(file);
const [{ values }] = new Database(bytes).exec('select count(*) from sqlite_master');
const log = readFileSync(`${file}-wal`);
console.log(`opencode-ai ${JSON.parse(readFileSync('node_modules/opencode-ai/package.json')).version}`);
console.log(`  answered: ${output.includes('Hello.')}, exit code ${exitCode}, signal ${signal}`);
console.log(`  opencode.db: ${statSync(file).size} bytes, ${values[0][0]} tables`);
console.log(`  opencode.db-wal: ${log.length} bytes, has the prompt: ${log.includes('The prompt.')}`);
const asStated =
  output.includes('Hello.') &&
  exitCode === 0 &&
  bytes.length === 4096 &&
  values[0][0] === 0 &&
  log.includes('CREATE TABLE') &&
  log.includes('The prompt.');
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
