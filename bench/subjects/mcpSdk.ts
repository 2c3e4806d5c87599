// The client of the official MCP SDK with its own framing. Receives the messages and ignores them.
import { peer } from './peer';
import { input } from './input';
import { Meter } from './meter';

interface Notification {
  readonly params?: { readonly message?: unknown };
}
interface Transport {
  start(): Promise<void>;
  send(message: { readonly id?: unknown }): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown) => void;
}
interface McpClient {
  fallbackNotificationHandler: (notification: Notification) => Promise<void>;
  connect(transport: Transport): Promise<void>;
}
const { Client } = await peer<{ Client: new (info: object) => McpClient }>('@modelcontextprotocol/sdk/client/index.js');
const { ReadBuffer } = await peer<{
  ReadBuffer: new () => { append(chunk: Buffer): void; readMessage(): unknown };
}>('@modelcontextprotocol/sdk/shared/stdio.js');

const expected = Number(process.argv[2]);
const source = input();
const buffer = new ReadBuffer();
/** Like its StdioClientTransport, without the process. */
const transport: Transport = {
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  send: ({ id }) => {
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'bench', version: '0' } };
    if (id !== undefined) queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, result }));
    return Promise.resolve();
  },
};
const client = new Client({ name: 'bench', version: '0' });
await client.connect(transport);
const meter = new Meter();
client.fallbackNotificationHandler = ({ params }) => {
  meter.took(params?.message);
  if (meter.count === expected) meter.done();
  return Promise.resolve();
};
source.on('data', (chunk: Buffer) => {
  buffer.append(chunk);
  for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
    transport.onmessage?.(message);
  }
});
