// @ts-check
// Answers `initialize`, then writes numbered logs as fast as they are read: `node numbered.mjs TOTAL COUNTER`. A TOTAL of 0 is unlimited. After each
// write that the operating system accepts, it stores the count in the file COUNTER, so that tests can tell what was lost. It never reads its input
// again, so it doesn't notice when stdin closes. After TOTAL it says so and exits with code 0.
import { openSync, readSync, writeSync } from 'node:fs';

const [, , totalText = '0', counterPath] = process.argv;
const total = Number(totalText) || Infinity;
const counter = counterPath === undefined ? undefined : openSync(counterPath, 'w');
const padding = 'x'.repeat(128);

readLine();
write(`{"jsonrpc":"2.0","id":${initializeId()},"result":{"protocolVersion":1,"agentCapabilities":{}}}\n`);
for (let written = 0; written < total;) {
  const lines = [];
  for (let i = 0; i < 50 && written < total; i++) lines.push(line(++written));
  write(lines.join(''));
  if (counter !== undefined) writeSync(counter, String(written).padEnd(16), 0);
}

/** @param {number} n */
function line(n) {
  return `{"jsonrpc":"2.0","method":"log","params":{"level":"alert","logger":"numbered","message":"number ${n}","data":{"n":${n},"padding":"${padding}"}}}\n`;
}

/** @param {string} text */
function write(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

function readLine() {
  const byte = Buffer.alloc(1);
  while (readSync(0, byte) > 0 && byte[0] !== 10);
}

/** vscode-jsonrpc counts from 0, and `initialize` is the first request. */
function initializeId() {
  return 0;
}
