import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { FlowControl } from '../../../src/wire/flowControl';
import { lineFraming } from '../../../src/wire/lines/framing';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import { cuts, inPieces } from '../../support/bytes';
import { column } from '../../support/columns';
import { plainEvent } from '../../support/plainEvent';
import { holds } from '../../support/property';
import type { WireMessage } from '../../../src/wire/wireEvent';

type ReaderOptions = ConstructorParameters<typeof JsonRpcReader>[1];

interface Read {
  readonly events: readonly WireMessage[];
  readonly messages: readonly Message[];
  readonly refused: readonly Message[];
  /** The methods of the notifications that were offered to the client. */
  readonly notified: readonly string[];
}

const none = (): undefined => undefined;

function readerOf(input: PassThrough, options: Partial<ReaderOptions> = {}): JsonRpcReader {
  return new JsonRpcReader(input, {
    framing: lineFraming,
    maxLineBytes: 1024,
    maxMessageBytes: 20_000,
    flow: new FlowControl(),
    now: () => 7,
    onMessage: none,
    onSlice: none,
    forClient: none,
    refuse: none,
    onLineError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** Reads pieces of text to their end. */
function read(pieces: readonly (string | Buffer)[], options: Partial<ReaderOptions> = {}): Promise<Read> {
  const input = new PassThrough();
  const { flow = new FlowControl(), forClient = none } = options;
  const [events, messages, refused, notified]: [WireMessage[], Message[], Message[], string[]] = [[], [], [], []];
  const reader = readerOf(input, {
    ...options,
    flow,
    onMessage: (event) => {
      events.push(event);
      if (event.source?.searchText.includes('"log"') === true) event.isLog = true;
    },
    refuse: (answer) => refused.push(answer),
    forClient: (notification) => {
      notified.push(notification.method);
      return forClient(notification);
    },
  });
  reader.onError((error) => assert.fail(String(error)));
  const closed = new Promise<Read>((resolve) => reader.onClose(() => resolve({ events, messages, refused, notified })));
  reader.listen((message) => {
    messages.push(message);
    flow.handled(message);
  });
  for (const piece of pieces) input.write(piece);
  input.end();
  return closed;
}

const id = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 8 }),
  fc.constantFrom<unknown>(null, 1.5, -0, true, {}, [], 1e300),
);
const message = fc.oneof(
  fc.record(
    { id, method: fc.oneof(fc.string({ maxLength: 8 }), fc.jsonValue()), params: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.record({ id, result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: [] }),
  fc.jsonValue(),
);
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: message.map((value) => ` ${JSON.stringify(value, null, '\t').replaceAll('\n', ' ')}\t`) },
  { weight: 1, arbitrary: message.map((value) => JSON.stringify(value).slice(0, -1)) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ' ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['', ' ', '\t', '{}', '[]', '[[]]', 'null', '{"id":0}', '{"id":null,"method":"m"}'],
      ...['\ufeff{"id":3,"result":1}', '{"__proto__":{"id":1},"id":2,"result":{}}'],
    ),
  },
);

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) as unknown };
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): { readonly id?: unknown; readonly method?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The id of a message that a client has to handle: a request or an answer, each with an id that JSON-RPC allows. */
function idsForClient(value: unknown): unknown[] {
  const { id: itsId } = fieldsOf(value);
  return typeof itsId === 'string' || typeof itsId === 'number' ? [itsId] : [];
}

/** The method of a message that asks for no answer: `null` is no id to answer to. */
function notificationsForClient(value: unknown): unknown[] {
  const { id: itsId, method } = fieldsOf(value);
  return typeof method === 'string' && (itsId ?? null) === null ? [method] : [];
}

describe('JSON-RPC message reader', () => {
  holds(
    'reports every line that says something, in order, and hands on exactly the requests and the answers',
    150,
    fc.asyncProperty(
      fc.array(line, { maxLength: 20, size: 'max' }),
      cuts,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.constantFrom('', '', '', 'x'.repeat(5000)),
      async (lines, sizes, lineBreak, endsWithBreak, long) => {
        const text = [...lines, long].join(lineBreak) + (endsWithBreak ? lineBreak : '');
        const limits = { maxLineBytes: 4096, maxMessageBytes: 1e6 };
        const { events, messages, notified } = await read(inPieces(Buffer.from(text), sizes), limits);
        // A line has what a reader of the whole text would find.
        const whole = text.split('\n').map((raw) => ({ bytes: Buffer.byteLength(raw), line: raw.replace(/\r$/, '') }));
        const told = whole.filter(({ line: one }) => one.trim() !== '');
        const expected = told.map(({ bytes, line: one }) => (bytes > limits.maxLineBytes ? bytes : one));
        const found = events.map((event) => event.bytes ?? event.line);
        assert.deepEqual(found, expected);
        for (const event of events) {
          if (event.bytes !== undefined) continue;
          const value = parsed(event.line);
          assert.equal(event.msg !== undefined, value !== undefined);
          if (value) assert.deepEqual(event.msg, value.value);
        }
        const values = told.flatMap(({ line: one }): unknown => parsed(one)?.value ?? []);
        assert.deepEqual(column(messages.map(fieldsOf), 'id'), values.flatMap(idsForClient));
        assert.deepEqual(notified, values.flatMap(notificationsForClient));
      },
    ),
  );

  it('gives adjacent log messages of a chunk one time, and every other line the current one', async () => {
    let clock = 0;
    const [log, other] = ['{"jsonrpc":"2.0","method":"log"}', '{"jsonrpc":"2.0","method":"other"}'];
    const { events } = await read([[log, log, other, other, log, log, ''].join('\n')], { now: () => ++clock });
    assert.deepEqual(column(events, 't'), [1, 1, 1, 2, 3, 3]);
  });

  it('translates the notifications that concern the client', async () => {
    const translated: NotificationMessage = { jsonrpc: '2.0', method: '$/cancelRequest' };
    const { messages } = await read(['{"method":"$/cancel_request"}\n{"method":"other"}\n'], {
      forClient: ({ method }) => (method === '$/cancel_request' ? translated : undefined),
    });
    assert.deepEqual(messages, [translated]);
  });

  it('settles requests whose answers are malformed', async () => {
    const ends = ['', ',"result":null', ',"error":"bad"', ',"error":{"code":"x"}', ',"error":null,"result":1'];
    const { messages } = await read([ends.map((end, index) => `{"id":${index + 1}${end}}`).join('\n')]);
    const results = messages.map((one) => one as { result?: unknown; error?: { code: unknown } | null });
    const settled = results.map(({ error, result }) => (error ? error.code : JSON.stringify(result)));
    assert.deepEqual(settled, ['null', 'null', -32603, -32603, '1']);
  });

  it('hands on answers and requests over the limit of the log whole, and logs them with their long strings cut', async () => {
    const long = 'x'.repeat(8000);
    const lines = [
      `{"result":"${long}","jsonrpc":"2.0","id":1}`,
      `{"jsonrpc":"2.0","id":"a","method":"ask","params":"${long}"}`,
      `[{"id":2,"result":"${long}"},{"id":3,"result":1}]`,
    ];
    const { events, messages } = await read([lines.join('\n')]);
    const [first, second, third] = lines.map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(messages, [first, second, ...(third as unknown[])]);
    assert.deepEqual(column(events, 'bytes'), column(lines, 'length'));
    const cut = { result: `${'x'.repeat(4096)}… (3904 more characters)`, jsonrpc: '2.0', id: 1 };
    assert.deepEqual(events[0]?.msg, cut);
    assert.equal(events[0].line, JSON.stringify(cut));
  });

  it('parses no notification over the limit of the log, whatever is nested in it', async () => {
    const long = 'xy'.repeat(1000);
    const line = `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1,"id":42,"result":"${long}"}}`;
    const { events, messages, refused } = await read([line], { forClient: (notification) => notification });
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
    const { events, messages, refused } = await read([lines.join('\n')]);
    const code = -32603;
    const failed = [1, 2].map((id, at) => {
      const message = `The answer has ${lines[at]!.length} bytes, over the limit of 20000 bytes.`;
      return { jsonrpc: '2.0', id, error: { code, message } };
    });
    assert.deepEqual(messages, failed);
    const message = `The request has ${lines[2]!.length} bytes, over the limit of 20000 bytes.`;
    assert.deepEqual(refused, [{ jsonrpc: '2.0', id: 'a', error: { code, message } }]);
    const request = { jsonrpc: '2.0', id: 'a', method: 'fs/write_text_file' };
    assert.deepEqual(column(events, 'msg'), [...failed, request, undefined]);
  });

  it('fails an answer over the limit of the log that is no JSON', async () => {
    const { events, messages } = await read([`{"id":1,"result":"${'x'.repeat(2000)}" oops}`]);
    const error = { code: -32603, message: 'The answer of 2025 bytes is not valid JSON.' };
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 1, error }]);
    assert.equal(events[0]?.msg, undefined);
  });

  it('waits for a client that is flooded with requests', async () => {
    const flow = new FlowControl();
    const input = new PassThrough();
    let handed = 0;
    const reader = readerOf(input, { flow });
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
    const answers = '{"id":1,"result":1}\n{"id":1,"error":{"code":1,"message":"x"}}\n';
    const flow = Object.assign(new FlowControl(), { handled: () => undefined });
    const { events, messages } = await read([`${answers}{"id":1,"method":"a"}\n[{"id":1,"method":"b"}]\n`], { flow });
    assert.equal(events.length, 4);
    const kinds = messages.map((message) => ('method' in message ? message.method : 'result' in message));
    assert.deepEqual(kinds, [true, 'a']);
  });

  it('waits for an agent that asks and does not take the answers', () => {
    const flow = new FlowControl();
    const answered = Array.from({ length: 300 }, () => flow.answering());
    assert.ok(flow.isFull);
    for (const settle of answered) settle();
    assert.ok(!flow.isFull);
  });

  it('gives the event loop back between slices of a flood, and loses nothing', async () => {
    const { events } = await read(['{"method":"log"}\n'.repeat(50_000)]);
    assert.equal(events.length, 50_000);
  });
});
