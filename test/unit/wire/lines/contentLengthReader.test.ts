import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContentLengthReader } from '../../../../src/wire/lines/contentLengthReader';
import { CutLine } from '../../../../src/wire/lines/longLine';
import { contentLengthFraming } from '../../../../src/wire/lines/framing';
import type { Line } from '../../../../src/text/bytes/line';
import { cuts, inPieces } from '../../../support/bytes';
import { plainLine } from '../../../support/plainEvent';
import { millisecondsFor } from '../../../support/doubling';

function drain(reader: ContentLengthReader): Line[] {
  const lines: Line[] = [];
  for (let line = reader.next(); line; line = reader.next()) lines.push(line);
  return lines;
}

/** All that is read of chunks, to their end. */
function read(chunks: readonly (string | Buffer)[], maxBytes = 1000): Line[] {
  const reader = new ContentLengthReader(maxBytes);
  const lines = chunks.flatMap((chunk) => {
    reader.push(Buffer.from(chunk));
    return drain(reader);
  });
  const last = reader.end();
  return last ? [...lines, last] : lines;
}

const texts = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);
const framed = (text: string): string => contentLengthFraming.frame(text);

describe('Content-Length reader', () => {
  it('reads what was written, wherever the chunks are cut', () => {
    const message = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), cuts, (messages, sizes) => {
        const bytes = Buffer.from(messages.map(framed).join(''));
        assert.deepEqual(texts(read(inPieces(bytes, sizes))), messages);
      }),
    );
  });

  it('accepts every spelling of headers', () => {
    const headers = [
      'Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n',
      'Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2\r\n\r\n',
      'content-length:2 \n\n',
    ];
    const lines = read(headers.map((header) => `${header}{}`));
    assert.deepEqual(texts(lines), ['{}', '{}', '{}']);
  });

  it('reports text between messages', () => {
    const lines = read([`Starting…\n\n${framed('{}')}printed${framed('[]')}printed\n${framed('1')}the end`]);
    assert.deepEqual(texts(lines), ['Starting…', '{}', 'printed', '[]', 'printed', '1', 'the end']);
  });

  it('finds the next header where a length is wrong, or beyond all measure', () => {
    const short = 'Content-Length: 3\r\n\r\n{"a":1}';
    assert.deepEqual(texts(read([short, framed('{}')])), ['{"a', '":1}', '{}']);
    const long = 'Content-Length: 9\r\n\r\n{"a":1}';
    assert.deepEqual(texts(read([long, framed('[]'), framed('{}')])).at(-1), '{}');
    for (const length of [-1, 99_999_999_999]) {
      const lines = read([`Content-Length: ${length}\r\n\r\n${framed('{}')}`]);
      assert.deepEqual(texts(lines), [`Content-Length: ${length}`, '{}']);
    }
  });

  it('of a message over the limit gives all bytes if they are wanted, and says which message it is', () => {
    const message = `{"result":"${'x'.repeat(100)}","id":3}`;
    const bytes = Buffer.from(framed(message));
    for (const maxWholeBytes of [message.length, message.length - 1]) {
      for (const size of [1, 7, bytes.length]) {
        const reader = new ContentLengthReader(10, { maxWholeBytes });
        let line: Line | undefined;
        for (const piece of inPieces(bytes, [size])) {
          reader.push(piece);
          line ??= reader.next();
        }
        assert.ok(line instanceof CutLine);
        assert.deepEqual([line.bytes, line.envelopes], [message.length, [{ id: 3 }]]);
        assert.equal(line.whole?.toString(), maxWholeBytes === message.length ? message : undefined);
      }
    }
  });

  it('gives the beginning and the length of a message that is too long, and its bytes to a listener', () => {
    const pieces: Buffer[] = [];
    const reader = new ContentLengthReader(10, { onPiece: (bytes) => pieces.push(Buffer.from(bytes)) });
    const lines: Line[] = [];
    for (const chunk of [framed(`${'x'.repeat(6)} ${'y'.repeat(8)}`).slice(0, -6), `yyyyyy${framed('1')}`]) {
      reader.push(Buffer.from(chunk));
      lines.push(...drain(reader));
    }
    assert.deepEqual(lines.map(plainLine), [{ text: 'xxxxxx yyy', bytes: 15 }, { text: '1' }]);
    assert.equal(Buffer.concat(pieces).toString(), `${'x'.repeat(6)} ${'y'.repeat(8)}`);
  });

  it('gives a message that the end cut off as far as it came', () => {
    assert.deepEqual(read(['Content-Length: 5\r\n\r\n{"a']).map(plainLine), [{ text: '{"a' }]);
    assert.deepEqual(read(['Content-Length: 50\r\n\r\n{"a'], 10).map(plainLine), [{ text: '{"a', bytes: 3 }]);
    assert.deepEqual(read(['Content-Len']).map(plainLine), [{ text: 'Content-Len' }]);
  });

  it('holds little of a message that never ends, and takes one in small chunks in linear time', () => {
    const reader = new ContentLengthReader(32 * 1024 * 1024);
    const chunk = Buffer.alloc(1024, 120);
    const count = 24 * 1024;
    reader.push(Buffer.from(`Content-Length: ${count * chunk.length}\r\n\r\n`));
    const took = millisecondsFor((each) => {
      for (let i = 1; i < count; i++) {
        reader.push(each);
        assert.equal(reader.next(), undefined);
      }
      reader.push(each);
      assert.equal(reader.next()?.text.length, count * each.length);
    }, chunk);
    assert.ok(took < 2000);
  });
});
