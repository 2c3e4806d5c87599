import assert from 'node:assert/strict';
import { linesIn } from '../../../src/search/hitText';

describe('the lines of hits in contents that are read once', () => {
  const chunkBytes = 64 * 1024;
  const lines = Array.from({ length: 30_000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(n % 300)}"}`);
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  let reads = 0;
  let isClosed = false;
  async function* chunks(all = bytes): AsyncGenerator<Buffer> {
    isClosed = false;
    reads = 0;
    try {
      for (let at = 0; at < all.length; at += chunkBytes) {
        reads++;
        yield await Promise.resolve(all.subarray(at, at + chunkBytes));
      }
    } finally {
      isClosed = true;
    }
  }
  const offsetsOf = (every: number): readonly (readonly [line: string, offset: number])[] => {
    let offset = 0;
    const all = lines.map((line) => [line, (offset += line.length + 1) - 3] as const);
    return all.filter((_, n) => n % every === 0);
  };

  for (const every of [1, 700, 29_999]) {
    it(`come in order, of every ${every}th line, and no byte is read twice`, async () => {
      const wanted = offsetsOf(every);
      const found: string[] = [];
      const offsets = wanted.map(([, at]) => at);
      for await (const { text, isWhole, offset } of linesIn(chunks(), offsets)) {
        assert.ok(isWhole, `at ${offset}`);
        found.push(text);
      }
      const expected = wanted.map(([line]) => line);
      assert.deepEqual(found, expected);
      assert.ok(isClosed && reads <= Math.ceil(bytes.length / chunkBytes));
    });
  }

  it('are read no further than needed', async () => {
    for await (const { text } of linesIn(chunks(), [5])) assert.equal(text, lines[0]);
    assert.deepEqual([reads, isClosed], [1, true]);
  });

  it('show the part around a match of a line that is too long', async () => {
    const long = Buffer.from(`${'a'.repeat(400_000)}needle${'b'.repeat(400_000)}\nnext\n`);
    const found = [];
    for await (const line of linesIn(chunks(long), [400_000, 800_008])) found.push(line);
    const [first, second] = found;
    assert.equal(first?.isWhole, false);
    assert.equal(first.text, `${'a'.repeat(256 * 1024)}needle${'b'.repeat(256 * 1024 - 6)}`);
    assert.deepEqual(second, { text: 'next', isWhole: true, offset: 800_008 });
  });
});
