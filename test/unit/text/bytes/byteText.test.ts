import assert from 'node:assert/strict';
import { ByteChunk } from '../../../../src/text/bytes/byteChunk';
import { ByteText } from '../../../../src/text/bytes/byteText';

describe('byte text', () => {
  it('is found at any place, and no text that differs in one byte is', () => {
    for (let length = 1; length <= 20; length++) {
      const text = 'größe–"level":"warning"'.slice(0, length);
      const sought = new ByteText(text);
      const before = 'x'.repeat(length % 5);
      const bytes = Buffer.from(`${before}${text} and more`);
      const [start, end] = [before.length, before.length + sought.length];
      const isAt = (at: number, to = bytes.length): boolean => sought.isAt(new ByteChunk(bytes), at, to);
      assert.ok(isAt(start) && isAt(start, end), text);
      assert.ok(!isAt(start, end - 1) && !isAt(start + 1), text);
      for (let at = start; at < end; at++) {
        const kept = bytes[at] ?? 0;
        bytes[at] = kept ^ 1;
        assert.ok(!isAt(start), `${text}, other byte at ${at - start}`);
        bytes[at] = kept;
      }
    }
  });
});
