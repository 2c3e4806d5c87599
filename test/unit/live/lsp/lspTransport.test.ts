import assert from 'node:assert/strict';
import type { DataCallback, Message, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { LspTransport } from '../../../../src/live/lsp/lspTransport';
import { FlowControl } from '../../../../src/wire/flowControl';
import { column } from '../../../support/columns';

type Sent = Message & { readonly id?: unknown; readonly method?: string; readonly result?: unknown };

const nothing = { dispose: () => undefined };

/** The pipes of a server, in memory. */
class Pipes {
  readonly flow = new FlowControl();
  readonly sent: Sent[] = [];
  receive: DataCallback = () => undefined;
  readonly reader: MessageReader = {
    ...{ onError: () => nothing, onClose: () => nothing, onPartialMessage: () => nothing, ...nothing },
    listen: (callback) => {
      this.receive = callback;
      return nothing;
    },
  };
  readonly writer: MessageWriter = {
    ...{ onError: () => nothing, onClose: () => nothing, end: () => undefined, ...nothing },
    write: (message) => Promise.resolve(void this.sent.push(message)),
  };
}

describe('the transport of a language server', () => {
  let pipes: Pipes;
  let asked: string[];
  let transport: LspTransport;
  let forLibrary: Message[];
  beforeEach(() => {
    pipes = new Pipes();
    asked = [];
    forLibrary = [];
    transport = new LspTransport(pipes, (method) => {
      asked.push(method);
      if (method === 'fails') throw new Error('no luck');
      return undefined;
    });
    transport.reader.listen((message) => forLibrary.push(message));
  });

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const message = (fields: object): Message => ({ jsonrpc: '2.0', ...fields });
  const emptied = { jsonrpc: '2.0', id: 0, result: { capabilities: {} } };

  /** Initializes the server, which answers this. */
  async function initialized(answer: object): Promise<void> {
    await transport.writer.write(message({ id: 0, method: 'initialize' }));
    pipes.receive(message({ id: 0, ...answer }));
  }

  it('empties the capabilities of the server for the library, and keeps its result', async () => {
    const result = { capabilities: { positionEncoding: 'utf-8' }, serverInfo: { name: 'S' } };
    await initialized({ result });
    assert.deepEqual([forLibrary, transport.initialized], [[emptied], { result }]);
  });

  for (const result of [null, 5, [], {}, { capabilities: null }]) {
    it(`takes ${JSON.stringify(result)} as the result of initialize`, async () => {
      await initialized({ result });
      assert.deepEqual(forLibrary, [emptied]);
    });
  }

  it('empties the capabilities of a result that comes with `error: null`', async () => {
    await initialized({ error: null, result: { capabilities: { hoverProvider: true } } });
    assert.deepEqual(forLibrary, [{ ...emptied, error: null }]);
  });

  it('passes on an error of initialize', async () => {
    const error = { code: -32603, message: 'No.' };
    await initialized({ error });
    assert.deepEqual([forLibrary, transport.initialized], [[message({ id: 0, error })], undefined]);
  });

  it('passes on only the first response to each request', async () => {
    await transport.writer.write(message({ id: 1, method: 'shutdown' }));
    for (const id of ['1', 1, 1, 2]) pipes.receive(message({ id, result: null }));
    assert.deepEqual(forLibrary, [{ jsonrpc: '2.0', id: 1, result: null }]);
  });

  it('answers server requests without passing them to the library', async () => {
    pipes.receive(message({ id: 'a', method: 'window/showMessageRequest' }));
    await turn();
    pipes.receive(message({ id: 7, method: 'fails' }));
    await turn();
    assert.deepEqual([asked, forLibrary], [['window/showMessageRequest', 'fails'], []]);
    assert.deepEqual(pipes.sent, [
      { jsonrpc: '2.0', id: 'a', result: null },
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'no luck' } },
    ]);
  });

  it("drops the library's $/setTrace and sends ours", async () => {
    await transport.writer.write(message({ method: '$/setTrace', params: { value: 'off' } }));
    await transport.notify('$/setTrace', { value: 'verbose' });
    assert.deepEqual(pipes.sent, [{ jsonrpc: '2.0', method: '$/setTrace', params: { value: 'verbose' } }]);
  });

  it('cancels initialize until it is answered', async () => {
    transport.cancelInitialize();
    await transport.writer.write(message({ id: 3, method: 'initialize' }));
    transport.cancelInitialize();
    pipes.receive(message({ id: 3, result: {} }));
    transport.cancelInitialize();
    assert.deepEqual(column(pipes.sent, 'method'), ['initialize', '$/cancelRequest']);
  });

  it('tells a late listener that the connection is closed', async () => {
    transport.close();
    let closed = 0;
    transport.reader.onClose(() => closed++);
    transport.reader.listen(() => undefined);
    await turn();
    assert.equal(closed, 1);
  });

  it('delays requests of a server that sends many in one turn', async () => {
    for (let id = 0; id < 100; id++) {
      const request = message({ id, method: 'x' });
      if (pipes.flow.admits(request)) pipes.receive(request);
    }
    assert.equal(pipes.flow.isFull, true);
    await turn();
    assert.equal(pipes.flow.isFull, false);
  });
});
