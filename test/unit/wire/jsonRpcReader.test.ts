import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { Backlog } from '../../../src/wire/backlog';
import { lineFraming } from '../../../src/wire/framing';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import type { WireMessage } from '../../../src/wire/wireEvent';

interface Read {
  readonly events: WireMessage[];
  readonly messages: Message[];
}

/** Reads the text to its end. */
function read(
  text: string,
  forClient: (notification: NotificationMessage) => NotificationMessage | undefined = () => undefined,
): Promise<Read> {
  const input = new PassThrough();
  const events: WireMessage[] = [];
  const messages: Message[] = [];
  const reader = new JsonRpcReader(input, {
    framing: lineFraming,
    maxLineBytes: 1024,
    backlog: new Backlog(),
    now: () => 7,
    onMessage: (event) => events.push(event),
    onSlice: () => undefined,
    forClient,
  });
  const closed = new Promise<Read>((resolve) => reader.onClose(() => resolve({ events, messages })));
  reader.listen((message) => messages.push(message));
  input.end(text);
  return closed;
}

describe('JSON-RPC message reader', () => {
  it('reports every line, and hands on requests and responses only', async () => {
    const lines = [
      '{"jsonrpc":"2.0","method":"log","params":{}}',
      '{"jsonrpc":"2.0","id":1,"method":"ask"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      'not JSON',
      '"a string"',
      '',
    ];
    const { events, messages } = await read(lines.join('\n'));
    assert.deepEqual(
      events.map(({ line }) => line),
      lines.slice(0, 5),
    );
    assert.equal('msg' in events[3]!, false);
    assert.equal(events[4]!.msg, 'a string');
    assert.deepEqual(
      messages.map((message) => Object.keys(message)),
      [
        ['jsonrpc', 'id', 'method'],
        ['jsonrpc', 'id', 'result'],
      ],
    );
  });

  it('translates the notifications that concern the client', async () => {
    const translated: NotificationMessage = { jsonrpc: '2.0', method: '$/cancelRequest' };
    const { messages } = await read('{"method":"$/cancel_request"}\n{"method":"other"}\n', ({ method }) =>
      method === '$/cancel_request' ? translated : undefined,
    );
    assert.deepEqual(messages, [translated]);
  });

  it('settles requests whose answers are malformed', async () => {
    const { messages } = await read(
      [
        '{"id":1}',
        '{"id":2,"result":null}',
        '{"id":3,"error":"bad"}',
        '{"id":4,"error":{"code":"x"}}',
        '{"id":5,"error":null,"result":1}',
      ].join('\n'),
    );
    assert.deepEqual(
      messages.map((message) =>
        'error' in message && message.error ? 'error' : JSON.stringify((message as { result?: unknown }).result),
      ),
      ['null', 'null', 'error', 'error', '1'],
    );
  });

  it('takes the messages of a batch one by one, and passes over what could only be complained about', async () => {
    const { messages } = await read(
      '[{"id":1,"result":1},{"id":2,"result":2}]\n{"id":{},"method":"x"}\n[[]]\nnull\n{}\n',
    );
    assert.equal(messages.length, 2);
  });

  it('reports a line over the limit without parsing it, and lets nobody wait for it', async () => {
    const long = 'x'.repeat(2000);
    const { events, messages } = await read(
      `{"id":1,"result":"${long}"}\n{"jsonrpc":"2.0","id":"a","method":"ask","params":"${long}"}\n{"method":"log","params":"${long}"}\n`,
    );
    assert.equal(events[0]?.bytes, 2020);
    assert.ok(events.every((event) => !('msg' in event)));
    assert.deepEqual(messages, [
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'The answer has 2020 bytes, which is more than is read of one line.' },
      },
      { jsonrpc: '2.0', id: 'a', method: 'ask' },
    ]);
  });

  it('takes hostile lines for what they are, and reads on', async () => {
    const deep = `{"id":1,"error":${'['.repeat(400)}${']'.repeat(400)}}`;
    const { events, messages } = await read(`\ufeff{"id":2,"result":1}\n${deep}\n{"__proto__":1,"id":3,"result":{}}\n`);
    assert.equal(events.length, 3);
    assert.equal(messages.length, 3);
  });

  it('waits for a client that is flooded with requests', async () => {
    const backlog = new Backlog();
    const input = new PassThrough();
    let handed = 0;
    const reader = new JsonRpcReader(input, {
      framing: lineFraming,
      maxLineBytes: 1024,
      backlog,
      now: () => 0,
      onMessage: () => undefined,
      onSlice: () => undefined,
      forClient: () => undefined,
    });
    reader.listen(() => handed++);
    input.end(Array.from({ length: 1000 }, (_, id) => `{"id":${id},"method":"ask"}\n`).join(''));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(handed < 100);
    const closed = new Promise<void>((resolve) => reader.onClose(resolve));
    backlog.close();
    await closed;
    assert.equal(handed, 1000);
  });

  it('hands over the first of those with one id that wait: a later one would take its place', async () => {
    const { events, messages } = await read(
      '{"id":1,"result":1}\n{"id":1,"error":{"code":1,"message":"x"}}\n{"id":1,"method":"a"}\n[{"id":1,"method":"b"}]\n',
    );
    assert.equal(events.length, 4);
    assert.deepEqual(
      messages.map((message) => ('method' in message ? message.method : 'result' in message)),
      [true, 'a'],
    );
  });

  it('waits for an agent that asks and does not take the answers', () => {
    const backlog = new Backlog();
    const answered = Array.from({ length: 300 }, () => backlog.answering());
    assert.ok(backlog.isLong);
    for (const settle of answered) settle();
    assert.ok(!backlog.isLong);
  });

  it('gives the event loop back between slices of a flood, and loses nothing', async () => {
    const { events } = await read('{"method":"log"}\n'.repeat(50_000));
    assert.equal(events.length, 50_000);
  });
});
