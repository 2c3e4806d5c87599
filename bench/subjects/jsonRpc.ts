// vscode-jsonrpc's connection. Receives the messages and ignores them. Its input has Content-Length headers.
import { Writable } from 'node:stream';
import type * as jsonRpc from 'vscode-jsonrpc/node';
import { peer } from './peer';
import { input } from './input';
import { Meter } from './meter';

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } =
  await peer<typeof jsonRpc>('vscode-jsonrpc/node');
const expected = Number(process.argv[2]);
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const meter = new Meter();
const connection = createMessageConnection(new StreamMessageReader(input()), new StreamMessageWriter(nowhere));
connection.onNotification('log', (params: { readonly message?: unknown }) => {
  meter.took(params.message);
  // When the input closes, messages are still in its queue.
  if (meter.count === expected) meter.done();
});
connection.listen();
