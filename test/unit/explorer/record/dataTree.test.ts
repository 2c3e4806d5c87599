import assert from 'node:assert/strict';
import { dataNode, membersOf, pageSize, valueAt } from '../../../../src/explorer/record/dataTree';

describe('data as a tree', () => {
  it('shows values with their types', () => {
    for (const [value, ...shown] of [
      [{ a: 1 }, 'object', '{"a":1}', 1],
      [[1, 2], 'array', '[1,2]', 2],
      ['text', 'string', '"text"', 0],
      [1.5, 'number', '1.5', 0],
      [true, 'boolean', 'true', 0],
      [null, 'null', 'null', 0],
    ]) {
      const { type, text, size } = dataNode('key', value);
      assert.deepEqual([type, text, size], shown);
    }
  });

  it('cuts long strings, and says how much is missing', () => {
    const { text, missing } = dataNode('', 'x'.repeat(5000));
    assert.equal(missing, 5000 - 2048);
    assert.ok(text.endsWith('…'));
  });

  it('shows hidden characters as escapes', () => {
    assert.equal(dataNode('\u202ekey', '\u001b[31ma\u200bb').text, '"a\\u200bb"');
    assert.equal(dataNode('\u202ekey\n', 1).key, '\\u202ekey ');
  });

  it('gives members by pages', () => {
    const list = Array.from({ length: 450 }, (_, n) => n);
    assert.equal(membersOf(list, 0).length, pageSize);
    const last = membersOf(list, 400);
    assert.deepEqual([last[0]?.key, last.length], ['400', 50]);
    assert.deepEqual(membersOf('text', 0), []);
    const members = membersOf({ __proto__x: 1, b: [] }, 1).map(({ key, type }) => [key, type]);
    assert.deepEqual(members, [['b', 'array']]);
  });

  it('finds a value by the indexes on its way', () => {
    const data = { a: [1, { b: 'deep' }], c: null };
    assert.equal(valueAt(data, [0, 1, 0]), 'deep');
    assert.equal(valueAt(data, []), data);
    assert.equal(valueAt(data, [1, 0]), undefined);
    assert.equal(valueAt(data, [9]), undefined);
  });
});
