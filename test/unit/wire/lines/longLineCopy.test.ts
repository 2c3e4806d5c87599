import assert from 'node:assert/strict';
import type { WirePiece } from '../../../../src/wire/wireEvent';
import { Redactor } from '../../../../src/redact/redactor';
import type { TextRedactor } from '../../../../src/redact/textRedactor';
import { longTextOf } from '../../../../src/runLog/reading/redactEvent';
import { LongLineCopy } from '../../../../src/wire/lines/longLineCopy';
import { inPieces } from '../../../support/bytes';
import { column } from '../../../support/columns';

function copyOf(
  chunks: readonly Buffer[],
  redactor: TextRedactor = longTextOf(undefined),
): { pieces: WirePiece[]; kept: number } {
  const pieces: WirePiece[] = [];
  const copy = new LongLineCopy({ dir: 'a2c', now: () => 1, redactor, write: (piece) => void pieces.push(piece) });
  for (const chunk of chunks) copy.add(chunk);
  return { pieces, kept: copy.end() };
}

describe('the copy of an over-long line', () => {
  it('has every byte of it, wherever they were cut', () => {
    const text = 'a€b,'.repeat(60_000);
    const bytes = Buffer.from(text);
    for (const size of [1000, 65_537, bytes.length]) {
      const { pieces, kept } = copyOf(inPieces(bytes, [size]));
      assert.equal(pieces.map(({ part }) => part).join(''), text);
      assert.equal(kept, bytes.length);
      assert.ok(pieces.every(({ part }) => part.length <= 2 * 65_536));
    }
  });

  it('ends at its cap, and says how much it has', () => {
    const { pieces, kept } = copyOf(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x')));
    assert.equal(kept, 16 * 1024 * 1024);
    assert.equal(column(pieces, 'part').join('').length, kept);
  });

  it('has no secret that the bytes or their pieces were cut in', () => {
    const secret = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
    const bytes = Buffer.from(`${'"x":1,'.repeat(10_921)}"password":"${secret}","y":"Bearer ${secret}"`);
    for (const size of [65_536, 65_550, bytes.length]) {
      const { pieces } = copyOf(inPieces(bytes, [size]), new Redactor().longText());
      const whole = pieces.map(({ part }) => part).join('');
      assert.ok(whole.endsWith('"password":"[redacted]","y":"Bearer …[redacted]"'), whole.slice(-100));
    }
  });
});
