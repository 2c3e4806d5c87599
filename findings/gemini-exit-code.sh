#!/usr/bin/env bash
# Expected: a command line agent exits with a small documented code if the model refuses it, and
# codes above 128 mean that a signal ended the process: 128 plus its number.
# What happens: Gemini CLI exits with the HTTP status, of which the system keeps the lowest eight
# bits. A 401 for a wrong key becomes 145, a 400 becomes 144, which a shell or a container reports
# as signals 17 and 16 (on Linux SIGCHLD and SIGSTKFLT). The result record says "unknown" as type.
# Why it matters: a wrong key looks like a process that was killed, and supervisors that restart
# after signals restart it. Scripts have to know the arithmetic to tell a wrong key from a bad
# request. The status itself is only in the text of the message, as JSON within a sentence.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund @google/gemini-cli@0.61.0
mkdir -p home/.gemini project
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' >home/.gemini/settings.json

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

console.log(`@google/gemini-cli ${JSON.parse(readFileSync('node_modules/@google/gemini-cli/package.json')).version}`);
let asStated = true;
for (const [code, status, exitCode] of [
  [401, 'UNAUTHENTICATED', 145],
  [400, 'INVALID_ARGUMENT', 144],
]) {
  const error = { code, message: 'Refused by the model server.', status };
  const model = createServer((request, response) => {
    request.resume();
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  const env = {
    PATH: process.env.PATH,
    HOME: `${process.cwd()}/home`,
    GEMINI_API_KEY: 'placeholder',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.address().port}`,
  };
  const args = ['-m', 'gemini-2.5-flash', '-p', 'Hello', '--output-format', 'stream-json'];
  const options = { cwd: 'project', env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000 };
  const child = spawn('../node_modules/.bin/gemini', args, options);
  const exited = new Promise((resolve) => child.on('exit', (...ending) => resolve(ending)));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const [seen, signal] = await exited;
  model.close();
  const result = JSON.parse(output.trim().split('\n').at(-1));
  console.log(`  HTTP ${code}: exit code ${seen}, signal ${signal}, error type "${result.error?.type}"`);
  console.log(`    ${result.error?.message}`);
  asStated &&= seen === exitCode && signal === null && result.error?.type === 'unknown';
}
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
