import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { FlowControl } from '../../../src/wire/flowControl';
import { lineFraming } from '../../../src/wire/lines/framing';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import { plainEvent } from '../../support/plainEvent';
import type { WireMessage } from '../../../src/wire/wireEvent';

interface Read {
  readonly events: WireMessage[];
  readonly messages: Message[];
  readonly refused: Message[];
}

/** Reads the text to its end. */
function read(
  text: string,
  forClient: (notification: NotificationMessage) => NotificationMessage | undefined = () => undefined,
  now = (): number => 7,
): Promise<Read> {
  const input = new PassThrough();
  const events: WireMessage[] = [];
  const messages: Message[] = [];
  const refused: Message[] = [];
  const reader = new JsonRpcReader(input, {
    framing: lineFraming,
    maxLineBytes: 1024,
    maxMessageBytes: 20_000,
    flow: new FlowControl(),
    now,
    onMessage: (event) => {
      events.push(event);
      if (event.source?.searchText.includes('"log"') === true) event.isLog = true;
    },
    onSlice: () => undefined,
    forClient,
    refuse: (answer) => refused.push(answer),
    onLineError: (error) => {
      throw error;
    },
  });
  const closed = new Promise<Read>((resolve) => reader.onClose(() => resolve({ events, messages, refused })));
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
    assert.equal(events[3]!.msg, undefined);
    assert.equal(events[4]!.msg, 'a string');
    assert.deepEqual(
      messages.map((message) => Object.keys(message)),
      [
        ['jsonrpc', 'id', 'method'],
        ['jsonrpc', 'id', 'result'],
      ],
    );
  });

  it('gives adjacent log messages of a chunk one time, and every other line the current one', async () => {
    let clock = 0;
    const [log, other] = ['{"jsonrpc":"2.0","method":"log"}', '{"jsonrpc":"2.0","method":"other"}'];
    const { events } = await read([log, log, other, other, log, log, ''].join('\n'), undefined, () => ++clock);
    assert.deepEqual(
      events.map(({ t }) => t),
      [1, 1, 1, 2, 3, 3],
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

  it('hands on answers and requests over the limit of the log whole, and logs them with their long strings cut', async () => {
    const long = 'x'.repeat(8000);
    const lines = [
      `{"result":"${long}","jsonrpc":"2.0","id":1}`,
      `{"jsonrpc":"2.0","id":"a","method":"ask","params":"${long}"}`,
      `[{"id":2,"result":"${long}"},{"id":3,"result":1}]`,
    ];
    const { events, messages } = await read(lines.join('\n'));
    const [first, second, third] = lines.map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(messages, [first, second, ...(third as unknown[])]);
    assert.deepEqual(
      events.map(({ bytes }) => bytes),
      lines.map(({ length }) => length),
    );
    const cut = { result: `${'x'.repeat(4096)}… (3904 more characters)`, jsonrpc: '2.0', id: 1 };
    assert.deepEqual(events[0]?.msg, cut);
    assert.equal(events[0].line, JSON.stringify(cut));
  });

  it('parses no notification over the limit of the log, whatever is nested in it', async () => {
    const long = 'xy'.repeat(1000);
    const line = `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1,"id":42,"result":"${long}"}}`;
    const { events, messages, refused } = await read(line, (notification) => notification);
    // Cut before the long word, of which a part could be a part of a secret.
    const cut = line.slice(0, line.indexOf('xyx'));
    assert.deepEqual(events.map(plainEvent), [{ t: 7, dir: 'a2c', line: cut, bytes: line.length }]);
    assert.deepEqual([messages, refused], [[], []]);
  });

  it('fails a message over the limit with its size and the limit, wherever its id is', async () => {
    const long = '"x"'.repeat(7000);
    const lines = [
      `{"id":1,"result":${JSON.stringify(long)}}`,
      `{"result":{"method":"no","id":5,"text":${JSON.stringify(long)}},"id":2}`,
      `{"params":{"id":7,"text":${JSON.stringify(long)}},"method":"fs/write_text_file","id":"a"}`,
      `{"method":"log","params":{"id":42,"text":${JSON.stringify(long)}}}`,
    ];
    const { events, messages, refused } = await read(lines.join('\n'));
    const code = -32603;
    const failed = [1, 2].map((id, at) => {
      const message = `The answer has ${lines[at]!.length} bytes, over the limit of 20000 bytes.`;
      return { jsonrpc: '2.0', id, error: { code, message } };
    });
    assert.deepEqual(messages, failed);
    const message = `The request has ${lines[2]!.length} bytes, over the limit of 20000 bytes.`;
    assert.deepEqual(refused, [{ jsonrpc: '2.0', id: 'a', error: { code, message } }]);
    const request = { jsonrpc: '2.0', id: 'a', method: 'fs/write_text_file' };
    assert.deepEqual(
      events.map(({ msg }) => msg),
      [...failed, request, undefined],
    );
  });

  it('fails an answer over the limit of the log that is no JSON', async () => {
    const { events, messages } = await read(`{"id":1,"result":"${'x'.repeat(2000)}" oops}`);
    const error = { code: -32603, message: 'The answer of 2025 bytes is not valid JSON.' };
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 1, error }]);
    assert.equal(events[0]?.msg, undefined);
  });

  it('takes hostile lines for what they are, and reads on', async () => {
    const deep = `{"id":1,"error":${'['.repeat(400)}${']'.repeat(400)}}`;
    const { events, messages } = await read(`\ufeff{"id":2,"result":1}\n${deep}\n{"__proto__":1,"id":3,"result":{}}\n`);
    assert.equal(events.length, 3);
    assert.equal(messages.length, 3);
  });

  it('waits for a client that is flooded with requests', async () => {
    const flow = new FlowControl();
    const input = new PassThrough();
    let handed = 0;
    const reader = new JsonRpcReader(input, {
      framing: lineFraming,
      maxLineBytes: 1024,
      maxMessageBytes: 1e6,
      flow,
      now: () => 0,
      onMessage: () => undefined,
      onSlice: () => undefined,
      forClient: () => undefined,
      refuse: () => undefined,
      onLineError: (error) => {
        throw error;
      },
    });
    reader.listen(() => handed++);
    input.end(Array.from({ length: 1000 }, (_, id) => `{"id":${id},"method":"ask"}\n`).join(''));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(handed < 100);
    const closed = new Promise<void>((resolve) => reader.onClose(resolve));
    flow.close();
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
    const flow = new FlowControl();
    const answered = Array.from({ length: 300 }, () => flow.answering());
    assert.ok(flow.isFull);
    for (const settle of answered) settle();
    assert.ok(!flow.isFull);
  });

  it('gives the event loop back between slices of a flood, and loses nothing', async () => {
    const { events } = await read('{"method":"log"}\n'.repeat(50_000));
    assert.equal(events.length, 50_000);
  });
});
