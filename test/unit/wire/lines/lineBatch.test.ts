import assert from 'node:assert/strict';
import { LineBatch } from '../../../../src/wire/lines/lineBatch';

describe('line batch', () => {
  it('gives back all lines in order, whatever their characters and lengths, and is empty then', () => {
    const batch = new LineBatch();
    const lines = ['a\n', 'größer – 日本\n', `${'x'.repeat(300_000)}\n`, `${'é'.repeat(100_000)}\n`, '😀\n'];
    const many = Array.from({ length: 8 }, () => lines).flat();
    for (const line of many) batch.add(line);
    assert.equal(batch.lines, many.length);
    const bytes = Buffer.from(many.join(''));
    assert.equal(batch.bytes, bytes.length);
    assert.ok(Buffer.concat(batch.take()).equals(bytes));
    assert.deepEqual([batch.lines, batch.bytes, batch.take()], [0, 0, []]);
    batch.add('b\n');
    assert.equal(Buffer.concat(batch.take()).toString(), 'b\n');
  });

  it('fills again what was given back, and nothing else', () => {
    const batch = new LineBatch();
    batch.add('first\n');
    const first = batch.take();
    batch.add('second\n');
    const second = batch.take();
    batch.release(first);
    batch.add('third\n');
    const third = batch.take();
    assert.equal(third[0]?.buffer, first[0]?.buffer);
    assert.equal(Buffer.concat(second).toString(), 'second\n');
    assert.equal(Buffer.concat(third).toString(), 'third\n');
  });
});
