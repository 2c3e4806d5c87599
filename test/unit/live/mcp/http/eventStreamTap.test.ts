import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventStreamEnd, EventStreamTapOptions } from '../../../../../src/live/mcp/http/eventStreamTap';
import { EventStreamTap } from '../../../../../src/live/mcp/http/eventStreamTap';
import type { Line } from '../../../../../src/text/bytes/line';
import { CutLine } from '../../../../../src/wire/lines/longLine';

interface Outcome {
  readonly messages: readonly (readonly [data: string, bytes: number | undefined])[];
  readonly passedOn: string;
  readonly end: EventStreamEnd | undefined;
}

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
    maxLineBytes: 1000,
    maxMessageBytes: 1e6,
    isBehind: () => false,
    onSlice: () => undefined,
    onMessage: ({ text: data, bytes }) => {
      messages.push([data, bytes]);
      return data.startsWith('+') ? [data.replace('\n', ' ')] : [];
    },
    onEnd: (how) => {
      end = how;
      return [];
    },
    ...options,
  });
  return { messages, passedOn: await new Response(tapped).text(), end };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('event stream tap', () => {
  it('ends once when the library cancels it', async () => {
    const ends: EventStreamEnd[] = [];
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf('data: +a\n\n')),
    });
    const reader = EventStreamTap.on(source, {
      maxLineBytes: 1000,
      maxMessageBytes: 1e6,
      isBehind: () => false,
      onSlice: () => undefined,
      onMessage: ({ text }) => [text],
      onEnd: (how) => {
        ends.push(how);
        return ['+last'];
      },
    }).getReader();
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
    assert.deepEqual(
      messages.map(([data]) => data),
      ['-a', '+b\nc', '+d', '-e'],
    );
    assert.equal(
      passedOn,
      'id: 1\nretry: 20\ndata:\n\nid: 2\ndata:\n\ndata: +b c\n\nevent: endpoint\ndata: /x\n\nid: 3\ndata: +d\n\n',
    );
    assert.deepEqual(end, { lastId: '3' });
  });

  it('reads the same however the bytes are split', async () => {
    const event = fc.string({ unit: 'grapheme', maxLength: 40 }).map((data) => data.replace(/[\r\n]/g, '') || '-');
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        async (all, sizes) => {
          let rest = bytesOf(all.map((data) => `data: ${data}\n\n`).join(''));
          const chunks: Uint8Array[] = [];
          while (rest.length > 0) {
            const [size = 1] = sizes.take(1);
            chunks.push(rest.subarray(0, size));
            rest = rest.subarray(size);
          }
          assert.deepEqual(
            (await read(chunks)).messages,
            all.map((data) => [data, undefined]),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reports an oversized message by its beginning and length', async () => {
    const long = await read([bytesOf(`data: ${'x'.repeat(5000)}\n\ndata: +y\n\n`)]);
    assert.deepEqual(
      long.messages.map(([data, bytes]) => [data.length < 1001, bytes]),
      [
        [true, 5000],
        [true, undefined],
      ],
    );
    const lines = await read([bytesOf('data: 0123456789\n'.repeat(500) + '\n')]);
    assert.equal(lines.messages[0]?.[1], 5499); // including the line breaks between them
    assert.ok(lines.messages.every(([data]) => data.length < 1200));
  });

  it('accepts a lone carriage return as a line break, wherever the chunks are split', async () => {
    const bytes = bytesOf('data: +a\r\rdata: +b\r\n\r\ndata: +c\rdata: d\n\r');
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const { messages } = await read(chunks);
      assert.deepEqual(
        messages.map(([data]) => data),
        ['+a', '+b', '+c\nd'],
      );
    }
  });

  it('hands over long data complete, with its messages, whatever the lines and chunks', async () => {
    const data = `{"jsonrpc":"2.0","result":{\n"text":"${'x'.repeat(3000)}"},\n"id":3}`;
    const bytes = bytesOf(`\ufeffid: 1\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\ndata: +y\n\n`);
    for (const size of [1, 2, 5, 900, 1001, 10_000]) {
      const lines: Line[] = [];
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      await read(chunks, { onMessage: (line) => (lines.push(line), []) });
      const [long, other] = lines;
      assert.ok(long instanceof CutLine);
      assert.equal(long.whole?.toString(), data);
      assert.deepEqual([long.bytes, long.envelopes, other?.text], [data.length, [{ id: 3 }], '+y']);
    }
  });

  it("cancels its source if a message can't be handled", async () => {
    let reason: unknown;
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf('data: a\n\n')),
      cancel: (why) => void (reason = why),
    });
    const error = new Error('a bug');
    let end: EventStreamEnd | undefined;
    const tapped = EventStreamTap.on(source, {
      maxLineBytes: 1000,
      maxMessageBytes: 1e6,
      isBehind: () => false,
      onSlice: () => undefined,
      onMessage: () => {
        throw error;
      },
      onEnd: (how) => {
        end = how;
        return [];
      },
    });
    assert.equal(await new Response(tapped).text(), '');
    assert.equal(reason, error);
    assert.deepEqual(end, { error });
  });

  it('handles the final data, even after an error', async () => {
    const error = new Error('cut');
    let told: unknown;
    const { passedOn } = await read([bytesOf('data: +a\n\n')], {
      error,
      onEnd: (end) => {
        told = end;
        return ['over'];
      },
    });
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
