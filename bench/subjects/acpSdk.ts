// The client of the official ACP SDK. Receives the messages and ignores them.
import type * as acp from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';
import { peer } from './peer';
import { input } from './input';
import { Meter } from './meter';

const { client, ndJsonStream } = await peer<typeof acp>('@agentclientprotocol/sdk');
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const meter = new Meter();
const connection = client({ name: 'bench' })
  .onNotification(
    'log',
    (params) => params as { readonly message?: unknown },
    ({ params }) => meter.took(params.message),
  )
  .connect(ndJsonStream(Writable.toWeb(nowhere), Readable.toWeb(input()) as ReadableStream<Uint8Array>));
void connection.closed.then(() => meter.done());
