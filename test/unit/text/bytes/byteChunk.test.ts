import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteChunk } from '../../../../src/text/bytes/byteChunk';
import { holds } from '../../../support/property';

/** Characters of one to four bytes, and those whose bytes are the largest of their kind. */
const text = fc.string({
  unit: fc.constantFrom('a', '\x7f', '"', '\\', 'é', '\u07ff', '–', '\uffff', '🙂', '\u{10ffff}'),
});

describe('a chunk of bytes: properties', () => {
  holds(
    'copies every byte of valid UTF-8, from any place to any other, and none beside it',
    500,
    fc.property(text, text, text, fc.nat(20), (before, copied, after, at) => {
      const source = Buffer.from(before + copied + after);
      const start = Buffer.byteLength(before);
      const end = start + Buffer.byteLength(copied);
      const target = new ByteChunk(Buffer.alloc(at + end - start + 20));
      assert.equal(new ByteChunk(source).copyTo(target, at, start, end), at + end - start);
      const expected = Buffer.alloc(target.bytes.length);
      expected.write(copied, at);
      assert.deepEqual(target.bytes, expected);
    }),
  );

  holds(
    'has what another has, up to the last byte',
    500,
    fc.property(text, text, text, fc.nat(20), (before, same, other, at) => {
      const source = new ByteChunk(Buffer.from(before + same));
      const [start, end] = [Buffer.byteLength(before), source.bytes.length];
      const target = new ByteChunk(
        Buffer.concat([Buffer.alloc(at, 'x'), source.bytes.subarray(start), Buffer.from(other)]),
      );
      assert.ok(source.equals(target, at, start, end));
      for (let n = at; n < at + end - start; n++) {
        const byte = target.bytes[n] ?? 0;
        target.bytes[n] = byte ^ 1;
        assert.ok(!source.equals(target, at, start, end));
        target.bytes[n] = byte;
      }
    }),
  );
});
