import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Line } from '../../../../src/text/bytes/line';
import { plainLine } from '../../../support/plainEvent';
import { LineReader } from '../../../../src/wire/lines/lineReader';
import { holds } from '../../../support/property';
import { anyBytes, cuts, inPieces } from '../../../support/bytes';

const limits = fc.constantFrom(1, 2, 7, 64, 5000, 1_000_000);

/** What a line is, said in the plainest way: all bytes at once, one after the other. */
function naive(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 10) continue;
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return from < bytes.length ? [...lines, bytes.subarray(from)] : lines;
}

/** Reads in pieces, pulling now and then. */
function read(pieces: readonly Buffer[], limit: number, pullEach: number): Line[] {
  const reader = new LineReader(limit);
  const lines: Line[] = [];
  const pull = (): void => {
    for (let line = reader.next(); line; line = reader.next()) lines.push(line);
  };
  pieces.forEach((piece, i) => {
    reader.push(piece);
    if (i % pullEach === 0) pull();
  });
  pull();
  const last = reader.end();
  return last ? [...lines, last] : lines;
}

function textOf(line: Buffer): string {
  return (line.at(-1) === 13 ? line.subarray(0, -1) : line).toString('utf8');
}

function naiveLines(bytes: Buffer): { readonly text: string }[] {
  return naive(bytes).map((line) => ({ text: textOf(line) }));
}

describe('line reader', () => {
  holds(
    'reads what a naive one reads, however the bytes are cut',
    500,
    fc.property(anyBytes, cuts, fc.integer({ min: 1, max: 20 }), (bytes, sizes, pullEach) => {
      const lines = read(inPieces(bytes, sizes), 1_000_000, pullEach);
      assert.deepEqual(lines.map(plainLine), naiveLines(bytes));
    }),
  );

  holds(
    'reads the lines of a chunk that is read in several pieces',
    50,
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 5 }), fc.boolean(), (lengths, isEnded) => {
      const text = lengths.map((length, n) => `${n}`.repeat(length)).join('\n');
      const bytes = Buffer.from(isEnded ? `${text}\n` : text);
      assert.deepEqual(read([bytes], 1_000_000, 1).map(plainLine), naiveLines(bytes));
    }),
  );

  holds(
    'says how long a line over the limit was, and how it began, and reads the others as ever',
    500,
    fc.property(anyBytes, cuts, fc.integer({ min: 1, max: 20 }), limits, (bytes, sizes, pullEach, limit) => {
      const lines = read(inPieces(bytes, sizes), limit, pullEach);
      const expected = naive(bytes);
      assert.equal(lines.length, expected.length);
      expected.forEach((line, i) => {
        const found = lines[i]!;
        if (line.length <= limit) return assert.equal(found.text, textOf(line));
        assert.equal(found.bytes, line.length);
        // Its last character may have been cut in the middle.
        assert.ok(line.toString('utf8').startsWith(found.text.replace(/\ufffd{1,3}$/, '')));
        assert.ok(Buffer.byteLength(found.text) <= Math.max(limit, 3) * 3);
      });
    }),
  );

  holds(
    'reads the same whether bytes come one by one or at once',
    200,
    fc.property(anyBytes, limits, (bytes, limit) => {
      assert.deepEqual(read(inPieces(bytes, [1]), limit, 1).map(plainLine), read([bytes], limit, 1).map(plainLine));
    }),
  );

  it('takes linear time on single bytes, on long lines and on many pieces that wait', () => {
    // Not a benchmark: what grows with the square of the length would take minutes here.
    const line = Buffer.from(`${'x'.repeat(99)}\n`);
    assert.equal(read(inPieces(Buffer.concat(Array<Buffer>(3000).fill(line)), [1]), 1_000_000, 1).length, 3000);
    assert.equal(read(inPieces(Buffer.alloc(300_000, 120), [1]), 1_000_000, 1)[0]?.text.length, 300_000);
    assert.equal(read(Array<Buffer>(5000).fill(line), 1_000_000, 1_000_000).length, 5000);
  });

  it('holds no more than the limit of a line of 64 MiB, in linear time', () => {
    const chunk = Buffer.alloc(64 * 1024, 120);
    const reader = new LineReader(1024 * 1024);
    for (let i = 0; i < 1024; i++) {
      reader.push(chunk);
      assert.equal(reader.next(), undefined);
    }
    reader.push(Buffer.from('\nnext\n'));
    assert.equal(reader.next()?.bytes, 64 * 1024 * 1024);
    assert.equal(reader.next()?.text, 'next');
  });

  it('holds a line over the limit whole if that is asked for, in as many chunks as it has bytes', () => {
    const text = `${'x'.repeat(300_000)}\r`;
    for (const maxWholeBytes of [text.length - 1, text.length]) {
      const reader = new LineReader(1024, { maxWholeBytes });
      const lines: ReturnType<typeof plainLine>[] = [];
      for (const chunk of inPieces(Buffer.from(`${text}\nnext\n`), [1])) {
        reader.push(chunk);
        const line = reader.next();
        if (line) lines.push(plainLine(line));
      }
      const [{ whole, ...long } = { text: '' }, next] = lines;
      assert.deepEqual([long, next], [{ text: 'x'.repeat(1024), bytes: text.length }, { text: 'next' }]);
      assert.equal(whole?.toString(), maxWholeBytes === text.length ? text : undefined);
    }
  });

  it('gives each whole line with its bytes, in however many pieces it comes', () => {
    const text = 'one\r\nzwö\n\nfour\n' + 'x'.repeat(30) + '\nlast';
    for (let size = 1; size <= text.length; size++) {
      const found: (string | undefined)[] = [];
      const reader = new LineReader(20);
      for (const chunk of inPieces(Buffer.from(text), [size])) {
        reader.push(chunk);
        for (let line = reader.next(); line; line = reader.next()) {
          found.push(line.bytes === undefined ? line.chunk?.bytes.toString('utf8', line.start, line.end) : line.text);
        }
      }
      assert.deepEqual(found, ['one', 'zwö', '', 'four', 'x'.repeat(20)]);
      assert.equal(reader.end()?.text, 'last');
    }
  });

  it('lets go of the bytes of a line once its text was asked for', () => {
    const reader = new LineReader(100);
    reader.push(Buffer.from('one\ntwo\n'));
    const [one, two] = [reader.next(), reader.next()];
    assert.equal(one?.text, 'one');
    assert.equal(one.chunk, undefined);
    assert.equal(one.text, 'one');
    assert.ok(two?.chunk);
  });
});
