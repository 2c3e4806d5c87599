import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteChunk } from '../../../../src/text/bytes/byteChunk';
import { ByteTime } from '../../../../src/text/bytes/byteTime';
import { holds } from '../../../support/property';

describe('times in bytes', () => {
  const isoTime = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const digits = fc.nat(99).map((n) => String(n).padStart(2, '0'));
  const anyTime = fc
    .array(digits, { minLength: 5, maxLength: 5 })
    .map(([month, day, hours, minutes, seconds]) => `2026-${month}-${day}T${hours}:${minutes}:${seconds}.000Z`);

  holds(
    'are what Date.parse says',
    500,
    fc.property(
      fc.array(fc.oneof(isoTime, anyTime, fc.constant('2026-01-05T24:00:01.000Z')), { minLength: 2 }),
      (texts) => {
        const chunk = new ByteChunk(Buffer.from(texts.join(' ')));
        const times = new ByteTime();
        let at = 0;
        for (const text of texts) {
          assert.equal(times.read(chunk, at, at + text.length), Date.parse(text), text);
          at += text.length + 1;
        }
      },
    ),
  );
});
