#!/usr/bin/env bash
# Expected: a language server on stdio whose console is redirected to the client keeps the levels
# and texts of Node's console. LSP 3.18 has message type 5, Debug, for console.debug().
# What happens: console.debug() arrives as type 4, Log, like console.log(), so it can't be
# filtered, while connection.console.debug() does send type 5. console.count('x') says "x: x" each
# time, never a number, and console.log() leaves its %s and %d unformatted.
# Why it matters: dependencies log with console, so their debug output is shown at a level users
# see by default. And the console is only redirected if the streams come from --stdio: with
# streams given to createConnection(), the same call writes into the protocol instead.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund vscode-languageserver@11.0.0

cat >server.cjs <<'JS'
const { createConnection } = require('vscode-languageserver/node');
const connection = createConnection();
connection.onInitialize(() => ({ capabilities: {} }));
connection.onInitialized(() => {
  console.info('by console.info');
  console.debug('by console.debug');
  connection.console.debug('by connection.console.debug');
  console.log('%s took %d ms', 'parse', 5);
  console.count('parsed');
  console.count('parsed');
});
connection.listen();
JS

cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('node_modules/vscode-languageserver/package.json'));
console.log(`vscode-languageserver ${version}`);
const server = spawn(process.execPath, ['server.cjs', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (fields) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...fields });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
let output = '';
server.stdout.on('data', (chunk) => (output += chunk));
send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
send({ method: 'initialized', params: {} });
send({ id: 2, method: 'shutdown' });
send({ method: 'exit' });
await new Promise((resolve) => server.on('close', resolve));
const seen = output
  .split(/Content-Length: \d+\r\n\r\n/)
  .filter((body) => body.includes('window/logMessage'))
  .map((body) => JSON.parse(body).params)
  .map(({ type, message }) => `${type} ${message}`);
for (const message of seen) console.log(`  type ${message}`);
const stated = [
  '3 by console.info',
  '4 by console.debug',
  '5 by connection.console.debug',
  '4 %s took %d ms parse 5',
  '4 parsed: parsed',
  '4 parsed: parsed',
];
const asStated = JSON.stringify(seen) === JSON.stringify(stated);
console.log(asStated ? 'As stated.' : 'Not as stated any more.');
process.exit(asStated ? 0 : 1);
JS
node run.mjs
