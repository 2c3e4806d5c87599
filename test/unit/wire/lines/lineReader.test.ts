import assert from 'node:assert/strict';
import { LineReader } from '../../../../src/wire/lines/lineReader';
import { plainLine } from '../../../support/plainEvent';

type PlainLine = ReturnType<typeof plainLine>;

function read(chunks: readonly Buffer[], maxLineBytes = 1024): PlainLine[] {
  const reader = new LineReader(maxLineBytes);
  const lines: PlainLine[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let line = reader.next(); line; line = reader.next()) lines.push(plainLine(line));
  }
  const last = reader.end();
  return last ? [...lines, plainLine(last)] : lines;
}

function chunked(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

describe('line reader', () => {
  it('splits at line feeds, with or without a carriage return, and keeps the rest after the last', () => {
    assert.deepEqual(read([Buffer.from('a\r\nb\n\nc')]), [{ text: 'a' }, { text: 'b' }, { text: '' }, { text: 'c' }]);
  });

  it('keeps NUL bytes, and shows invalid UTF-8 as U+FFFD', () => {
    assert.deepEqual(read([Buffer.from([97, 0, 98, 10, 0xff, 97, 10])]), [{ text: 'a\u0000b' }, { text: '\ufffda' }]);
  });

  it('reports a line over the limit by its beginning and length, and goes on after it', () => {
    const lines = read(chunked(Buffer.from(`${'x'.repeat(10_000)}\nafter\n`), 700));
    assert.deepEqual(lines, [{ text: 'x'.repeat(1024), bytes: 10_000 }, { text: 'after' }]);
  });

  it('reports one that comes in a single chunk, and one that never ends', () => {
    assert.equal(read([Buffer.from(`${'x'.repeat(5000)}\n`)])[0]?.bytes, 5000);
    assert.equal(read([Buffer.from('x'.repeat(5000))])[0]?.bytes, 5000);
    assert.equal(read([Buffer.from(`${'x'.repeat(1024)}\n`)])[0]?.bytes, undefined);
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
      const lines: PlainLine[] = [];
      for (const chunk of chunked(Buffer.from(`${text}\nnext\n`), 1)) {
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
      for (const chunk of chunked(Buffer.from(text), size)) {
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
