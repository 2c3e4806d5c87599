import assert from 'node:assert/strict';
import type { Message } from 'vscode-jsonrpc/node';
import { LspTransport } from '../../../../src/live/lsp/lspTransport';
import { column } from '../../../support/columns';
import { MessagePipes } from '../../../support/messagePipes';

describe('the transport of a language server', () => {
  let pipes: MessagePipes;
  let asked: string[];
  let transport: LspTransport;
  let forLibrary: Message[];
  beforeEach(() => {
    pipes = new MessagePipes();
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
    pipes.receive({ id: 0, ...answer });
  }

  it('empties the capabilities of the server for the library, and keeps its result', async () => {
    const result = { capabilities: { positionEncoding: 'utf-8' }, serverInfo: { name: 'S' } };
    await initialized({ result });
    assert.deepEqual([forLibrary, transport.initialized], [[emptied], { result }]);
  });

  const empty = [null, 5, [], {}, { capabilities: null }].map((result) => ({ result }));
  for (const answer of [...empty, { error: null, result: { capabilities: { hoverProvider: true } } }]) {
    it(`empties the capabilities of ${JSON.stringify(answer)}`, async () => {
      await initialized(answer);
      assert.deepEqual(forLibrary, [{ ...answer, ...emptied }]);
    });
  }

  it('passes on an error of initialize', async () => {
    const error = { code: -32603, message: 'No.' };
    await initialized({ error });
    assert.deepEqual([forLibrary, transport.initialized], [[message({ id: 0, error })], undefined]);
  });

  it('passes on only the first response to each request', async () => {
    await transport.writer.write(message({ id: 1, method: 'shutdown' }));
    for (const id of ['1', 1, 1, 2]) pipes.receive({ id, result: null });
    assert.deepEqual(forLibrary, [{ jsonrpc: '2.0', id: 1, result: null }]);
  });

  it('answers server requests without passing them to the library', async () => {
    pipes.receive({ id: 'a', method: 'window/showMessageRequest' });
    await turn();
    pipes.receive({ id: 7, method: 'fails' });
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
    pipes.receive({ id: 3, result: {} });
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
