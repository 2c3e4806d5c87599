#!/usr/bin/env bash
# Expected: in vscode-jsonrpc, connection.onProgress(type, token, handler) is called for progress
# with that token, whatever else the program listens to.
# What happens: a handler for the notification "$/progress" replaces the library's own. From then
# on no onProgress handler and no onUnhandledProgress event is called, whichever was registered
# first, without a warning. Disposing of the handler doesn't bring them back.
# Why it matters: a logger that listens to "$/progress" to show it, the obvious way, stops the
# progress of every request: bars stay at zero and partial results are lost, while the messages on
# the wire are complete. vscode-languageclient and vscode-languageserver build on this library.

set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --loglevel=error --no-audit --no-fund vscode-jsonrpc@10.0.0

cat >run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { PassThrough } = require('node:stream');
const rpc = require('vscode-jsonrpc/node');

const { version } = JSON.parse(readFileSync('node_modules/vscode-jsonrpc/package.json'));
console.log(`vscode-jsonrpc ${version}`);
const type = new rpc.ProgressType();
const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

async function run(order) {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const connect = (input, output) =>
    rpc.createMessageConnection(new rpc.StreamMessageReader(input), new rpc.StreamMessageWriter(output));
  const server = connect(toServer, toClient);
  const client = connect(toClient, toServer);
  const seen = [];
  client.onUnhandledProgress(({ value }) => seen.push(`onUnhandledProgress ${value}`));
  let logger;
  const steps = {
    progress: () => client.onProgress(type, 'token', (value) => seen.push(`onProgress ${value}`)),
    logger: () => (logger = client.onNotification('$/progress', ({ value }) => seen.push(`logger ${value}`))),
  };
  for (const step of order) steps[step]();
  server.listen();
  client.listen();
  await server.sendProgress(type, 'token', 1);
  await server.sendProgress(type, 'other', 1);
  await pause();
  logger?.dispose();
  await server.sendProgress(type, 'token', 2);
  await pause();
  client.dispose();
  server.dispose();
  console.log(`  ${order.join(', then ')}: [${seen.join(', ')}]`);
  return seen.join();
}
(async () => {
  const alone = await run(['progress']);
  const after = await run(['progress', 'logger']);
  const before = await run(['logger', 'progress']);
  const works = alone === 'onProgress 1,onUnhandledProgress 1,onProgress 2';
  const asStated = works && [after, before].every((seen) => seen === 'logger 1,logger 1');
  console.log(asStated ? 'As stated.' : 'Not as stated any more.');
  process.exit(asStated ? 0 : 1);
})();
JS
node run.cjs
