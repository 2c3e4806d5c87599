import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { Message } from 'vscode-jsonrpc/node';
import { FlowControl } from '../../../src/wire/flowControl';
import { lineFraming } from '../../../src/wire/lines/framing';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import type { WireMessage } from '../../../src/wire/wireEvent';
import { cuts, inPieces } from '../../support/bytes';
import { holds } from '../../support/property';

const maxLineBytes = 4096;

interface Read {
  readonly events: readonly WireMessage[];
  readonly messages: readonly Message[];
  /** The methods of the notifications that were offered to the client. */
  readonly notified: readonly string[];
  readonly errors: readonly Error[];
}

function read(pieces: readonly Buffer[]): Promise<Read> {
  const input = new PassThrough();
  const events: WireMessage[] = [];
  const messages: Message[] = [];
  const notified: string[] = [];
  const errors: Error[] = [];
  const flow = new FlowControl();
  const reader = new JsonRpcReader(input, {
    framing: lineFraming,
    maxLineBytes,
    maxMessageBytes: 1e6,
    flow,
    now: () => 7,
    onMessage: (event) => events.push(event),
    onSlice: () => undefined,
    refuse: () => undefined,
    onLineError: (error) => {
      throw error;
    },
    forClient: ({ method }) => {
      notified.push(method);
      return undefined;
    },
  });
  reader.onError((error) => errors.push(error));
  const closed = new Promise<Read>((resolve) => reader.onClose(() => resolve({ events, messages, notified, errors })));
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
      '',
      ' ',
      '\t',
      '{}',
      '[]',
      '[[]]',
      'null',
      '{"id":0}',
      '{"id":null,"method":"m"}',
      '\ufeff{"id":3,"result":1}',
      '{"__proto__":{"id":1},"id":2,"result":{}}',
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

/** The id of a message that a client has to handle: a request or an answer, each with an id that JSON-RPC allows. */
function idsForClient(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { id: itsId } = value as { id?: unknown };
  return typeof itsId === 'string' || typeof itsId === 'number' ? [itsId] : [];
}

/** The method of a message that asks for no answer: `null` is no id to answer to. */
function notificationsForClient(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { id: itsId, method } = value as { id?: unknown; method?: unknown };
  return typeof method === 'string' && (itsId === undefined || itsId === null) ? [method] : [];
}

describe('NDJSON message reader: properties', () => {
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
        const { events, messages, notified, errors } = await read(inPieces(Buffer.from(text), sizes));
        // A line has what a reader of the whole text would find.
        const whole = text.split('\n').map((raw) => ({ bytes: Buffer.byteLength(raw), line: raw.replace(/\r$/, '') }));
        const told = whole.filter(({ line: one }) => one.trim() !== '');
        assert.deepEqual(errors, []);
        assert.deepEqual(
          events.map((event) => event.bytes ?? event.line),
          told.map(({ bytes, line: one }) => (bytes > maxLineBytes ? bytes : one)),
        );
        for (const event of events) {
          if (event.bytes !== undefined) continue;
          const value = parsed(event.line);
          assert.equal(event.msg !== undefined, value !== undefined);
          if (value) assert.deepEqual(event.msg, value.value);
        }
        const values = told
          .map(({ line: one }) => parsed(one)?.value)
          .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
        assert.deepEqual(
          messages.map((one) => (one as { id?: unknown }).id),
          values.flatMap(idsForClient),
        );
        assert.deepEqual(notified, values.flatMap(notificationsForClient));
      },
    ),
  );
});
