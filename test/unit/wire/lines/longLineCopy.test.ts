import assert from 'node:assert/strict';
import type { WirePiece } from '../../../../src/wire/wireEvent';
import { LongLineCopy } from '../../../../src/wire/lines/longLineCopy';

function copyOf(
  chunks: readonly Buffer[],
  redact = (text: string): string => text,
): { pieces: WirePiece[]; kept: number } {
  const pieces: WirePiece[] = [];
  const copy = new LongLineCopy({ dir: 'a2c', now: () => 1, redact, write: (piece) => void pieces.push(piece) });
  for (const chunk of chunks) copy.add(chunk);
  return { pieces, kept: copy.end() };
}

describe('the copy of an over-long line', () => {
  it('has every byte of it, wherever they were cut', () => {
    const text = 'a€b,'.repeat(60_000);
    const bytes = Buffer.from(text);
    for (const size of [1000, 65_537, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const { pieces, kept } = copyOf(chunks);
      assert.equal(pieces.map(({ part }) => part).join(''), text);
      assert.equal(kept, bytes.length);
      assert.ok(pieces.every(({ part }) => part.length <= 2 * 65_536));
    }
  });

  it('ends at its cap, and says how much it has', () => {
    const { pieces, kept } = copyOf(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x')));
    assert.equal(kept, 16 * 1024 * 1024);
    assert.equal(
      pieces.reduce((sum, { part }) => sum + part.length, 0),
      kept,
    );
  });

  it('keeps a name and its value in one piece, so that a secret is known for one', () => {
    const chunk = Buffer.from(`${'"x":1,'.repeat(10_921)}"password":"hunter22-and-`);
    const { pieces } = copyOf([chunk, Buffer.from('more","y":2')], (text) =>
      text.replace(/"hunter22-and-more"/, '"[redacted]"'),
    );
    const whole = pieces.map(({ part }) => part).join('');
    assert.ok(whole.endsWith('"password":"[redacted]","y":2'));
    for (const gap of [': ', ' = ', ':  ']) {
      const text = `${'x'.repeat(65_530)} password${gap}hunter22`;
      const texts: string[] = [];
      copyOf([Buffer.from(text), Buffer.from('-and-more')], (part) => (texts.push(part), part));
      assert.equal(texts[1], ` password${gap}hunter22-and-more`);
    }
  });
});
