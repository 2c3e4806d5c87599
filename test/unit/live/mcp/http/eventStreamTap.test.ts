import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventStreamEnd, EventStreamTapOptions } from '../../../../../src/live/mcp/http/eventStreamTap';
import { EventStreamTap } from '../../../../../src/live/mcp/http/eventStreamTap';
import type { Line } from '../../../../../src/text/bytes/line';
import { CutLine } from '../../../../../src/wire/lines/longLine';
import { inPieces } from '../../../../support/bytes';
import { column } from '../../../../support/columns';

interface Outcome {
  readonly messages: readonly (readonly [data: string, bytes: number | undefined])[];
  readonly passedOn: string;
  readonly end: EventStreamEnd | undefined;
}

const usual: EventStreamTapOptions = {
  maxLineBytes: 1000,
  maxMessageBytes: 1e6,
  isBehind: () => false,
  onSlice: () => undefined,
  onMessage: () => [],
  onEnd: () => [],
};

/** Reads a stream of chunks to its end. Passes on messages that start with "+". */
async function read(
  chunks: readonly Uint8Array[],
  { error, ...options }: Partial<EventStreamTapOptions> & { readonly error?: Error } = {},
): Promise<Outcome> {
  const messages: [string, number | undefined][] = [];
  let end: EventStreamEnd | undefined;
  const left = [...chunks];
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk);
      else if (error) controller.error(error);
      else controller.close();
    },
  });
  const tapped = EventStreamTap.on(source, {
    ...usual,
    onMessage: ({ text: data, bytes }) => {
      messages.push([data, bytes]);
      return data.startsWith('+') ? [data.replace('\n', ' ')] : [];
    },
    onEnd: (how) => ((end = how), []),
    ...options,
  });
  return { messages, passedOn: await new Response(tapped).text(), end };
}

/** Pieces of this many bytes. */
function split(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return inPieces(Buffer.from(bytes), [size]);
}

/** A stream that has begun with this text. */
function begun(text: string, cancel?: (why: unknown) => void): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(bytesOf(text)), ...(cancel && { cancel }) });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('event stream tap', () => {
  it('ends once when the library cancels it', async () => {
    const ends: EventStreamEnd[] = [];
    const onEnd = (how: EventStreamEnd): string[] => (ends.push(how), ['+last']);
    const options: EventStreamTapOptions = { ...usual, onMessage: ({ text }) => [text], onEnd };
    const reader = EventStreamTap.on(begun('data: +a\n\n'), options).getReader();
    await reader.read();
    const next = reader.read();
    await new Promise(setImmediate); // the tap waits for the source
    await reader.cancel();
    await next;
    await new Promise(setImmediate);
    assert.deepEqual(ends, [{}]);
  });

  it('uses no more memory for a message with empty lines', async () => {
    const { messages } = await read([bytesOf(`${'data:\n'.repeat(5000)}\n`)]);
    assert.equal(messages.length, 1);
    assert.ok((messages[0]?.[0].length ?? Infinity) <= 1001);
    assert.notEqual(messages[0]?.[1], undefined);
  });

  it('reports every message, and passes on the wanted ones and every ID', async () => {
    const text =
      '\ufeff: hello\n\nretry: 20\nid: 1\ndata: \n\nevent: message\nid: 2\ndata: -a\n\r\n' +
      'data:+b\r\ndata: c\r\n\r\nevent: endpoint\ndata: /x\n\nid:3\ndata: +d\n\nunknown: y\ndata: -e\n\ndata: never ended';
    const { messages, passedOn, end } = await read([bytesOf(text)]);
    assert.deepEqual(column(messages, 0), ['-a', '+b\nc', '+d', '-e']);
    const [first, rest] = ['id: 1\nretry: 20\ndata:\n\nid: 2\ndata:\n\n', 'event: endpoint\ndata: /x\n\n'];
    assert.equal(passedOn, `${first}data: +b c\n\n${rest}id: 3\ndata: +d\n\n`);
    assert.deepEqual(end, { lastId: '3' });
  });

  it('reads the same however the bytes are split', async () => {
    const event = fc.string({ unit: 'grapheme', maxLength: 40 }).map((data) => data.replace(/[\r\n]/g, '') || '-');
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        async (all, sizes) => {
          const bytes = Buffer.from(all.map((data) => `data: ${data}\n\n`).join(''));
          const { messages } = await read(inPieces(bytes, sizes));
          assert.deepEqual(column(messages, 0), all);
          assert.ok(messages.every(([, bytes]) => bytes === undefined));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reports an oversized message by its beginning and length', async () => {
    const long = await read([bytesOf(`data: ${'x'.repeat(5000)}\n\ndata: +y\n\n`)]);
    assert.deepEqual(column(long.messages, 1), [5000, undefined]);
    assert.ok(long.messages.every(([data]) => data.length < 1001));
    const lines = await read([bytesOf('data: 0123456789\n'.repeat(500) + '\n')]);
    assert.equal(lines.messages[0]?.[1], 5499); // including the line breaks between them
    assert.ok(lines.messages.every(([data]) => data.length < 1200));
  });

  it('accepts a lone carriage return as a line break, wherever the chunks are split', async () => {
    const bytes = bytesOf('data: +a\r\rdata: +b\r\n\r\ndata: +c\rdata: d\n\r');
    for (let size = 1; size <= bytes.length; size++) {
      assert.deepEqual(column((await read(split(bytes, size))).messages, 0), ['+a', '+b', '+c\nd']);
    }
  });

  it('hands over long data complete, with its messages, whatever the lines and chunks', async () => {
    const data = `{"jsonrpc":"2.0","result":{\n"text":"${'x'.repeat(3000)}"},\n"id":3}`;
    const bytes = bytesOf(`\ufeffid: 1\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\ndata: +y\n\n`);
    for (const size of [1, 2, 5, 900, 1001, 10_000]) {
      const lines: Line[] = [];
      await read(split(bytes, size), { onMessage: (line) => (lines.push(line), []) });
      const [long, other] = lines;
      assert.ok(long instanceof CutLine);
      assert.equal(long.whole?.toString(), data);
      assert.deepEqual([long.bytes, long.envelopes, other?.text], [data.length, [{ id: 3 }], '+y']);
    }
  });

  it("cancels its source if a message can't be handled", async () => {
    let reason: unknown;
    const source = begun('data: a\n\n', (why) => (reason = why));
    const error = new Error('a bug');
    let end: EventStreamEnd | undefined;
    const onMessage = (): never => {
      throw error;
    };
    const tapped = EventStreamTap.on(source, { ...usual, onMessage, onEnd: (how) => ((end = how), []) });
    assert.equal(await new Response(tapped).text(), '');
    assert.equal(reason, error);
    assert.deepEqual(end, { error });
  });

  it('handles the final data, even after an error', async () => {
    const error = new Error('cut');
    let told: unknown;
    const onEnd = (end: EventStreamEnd): string[] => ((told = end), ['over']);
    const { passedOn } = await read([bytesOf('data: +a\n\n')], { error, onEnd });
    assert.equal(passedOn, 'data: +a\n\ndata: over\n\n');
    assert.deepEqual(told, { error });
  });

  it('waits for slow readers', async () => {
    let behind = 3;
    const { messages } = await read([bytesOf('data: a\n\ndata: b\n\n')], { isBehind: () => behind-- > 0 });
    assert.equal(messages.length, 2);
    assert.ok(behind < 0);
  });
});
