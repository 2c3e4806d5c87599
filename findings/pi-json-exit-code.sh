#!/usr/bin/env bash
# Expected: a command line agent exits with the same code for the same failure, whatever its output
# looks like: --mode json is there for programs, which look at the exit code first.
# What happens: if the model's server refuses the key, `pi -p` prints the error to stderr and exits
# with 1. With --mode json, with or without -p, it exits with 0 and prints nothing to stderr.
# Why it matters: a script or CI job that asks for JSON takes a failed turn for a good one. Only
# the stopReason "error" of the last message says otherwise.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @earendil-works/pi-coding-agent@1.6.0 node@24.21.0
mkdir -p home/.pi/agent project

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const error = { message: 'Refused by the model server.', type: 'invalid_request_error' };
const model = createServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${model.address().port}/v1`;
const mock = { baseUrl, api: 'openai-completions', apiKey: 'placeholder', models: [{ id: 'mock' }] };
writeFileSync('home/.pi/agent/models.json', JSON.stringify({ providers: { mock } }));
const pi = 'node_modules/@earendil-works/pi-coding-agent/package.json';
console.log(`@earendil-works/pi-coding-agent ${JSON.parse(readFileSync(pi)).version}`);
const env = { PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`, HOME: `${process.cwd()}/home` };
let asStated = true;
for (const [mode, wanted] of [
  [['-p'], 1],
  [['--mode', 'json'], 0],
  [['--mode', 'json', '-p'], 0],
]) {
  const args = [...mode, '--provider', 'mock', '--model', 'mock', 'Hello'];
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 };
  const child = spawn('../node_modules/.bin/pi', args, options);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const ending = /"stopReason":"error"/.test(out) ? 'stopReason "error" on stdout' : `${out.length} characters on stdout`;
  console.log(`  pi ${mode.join(' ')}: exit code ${code}, ${ending}, stderr: ${err.trim() || 'nothing'}`);
  asStated &&= code === wanted && (wanted === 1) === /Refused by/.test(err) && (wanted === 1) === (out === '');
}
model.close();
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
