import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutJson } from '../../../src/text/cutJson';
import { holds } from '../../support/property';

describe('a message that is cut for the log', () => {
  holds(
    'is the same if it is small',
    200,
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => assert.deepEqual(cutJson(value), value)),
  );

  it('keeps its form, and says where a string was cut', () => {
    const data = 'x'.repeat(3_000_000);
    const result = { content: [{ type: 'image', data, mimeType: 'image/png' }], isError: false };
    const cut = cutJson({ jsonrpc: '2.0', result, id: 3 }) as { result: typeof result };
    assert.equal(cut.result.content[0]!.data, `${'x'.repeat(4096)}… (2995904 more characters)`);
    cut.result.content[0]!.data = data;
    assert.deepEqual(cut, { jsonrpc: '2.0', result, id: 3 });
  });

  it('is bounded in size and depth, and keeps the members of the message itself', () => {
    let deep: unknown = 'end';
    for (let n = 0; n < 5000; n++) deep = [deep];
    const params = { all: Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'x'.repeat(100) })), deep };
    const cut = cutJson({ params, deep, method: 'ask', id: 'last' }) as Record<string, unknown>;
    assert.ok(JSON.stringify(cut).length < 1024 * 1024);
    assert.deepEqual([cut['method'], cut['id']], ['ask', 'last']);
  });

  it('is bounded if the message itself has a great many members', () => {
    const members = Array.from({ length: 10_000 }, (_, n) => [`${n}`.padEnd(4096), 'x'.repeat(4096)]);
    const cut = cutJson({ id: 1, result: {}, ...Object.fromEntries(members) }) as Record<string, unknown>;
    assert.ok(JSON.stringify(cut).length < 1024 * 1024);
    assert.deepEqual([cut['id'], cut['result']], [1, {}]);
  });
});
