import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { LinePump } from '../../../../src/wire/lines/linePump';

describe('line pump', () => {
  it('reports a line that cannot be handled, and reads on', async () => {
    const input = new PassThrough();
    const [lines, errors]: [string[], unknown[]] = [[], []];
    const error = new Error('a bug');
    const ended = new Promise<void>((resolve) => {
      new LinePump(input, {
        maxLineBytes: 100,
        onLine: ({ text }) => {
          lines.push(text);
          if (text !== 'b') throw error;
        },
        onSlice: () => undefined,
        onEnd: resolve,
        onError: (error) => assert.fail(error.message),
        onLineError: (one) => errors.push(one),
      });
    });
    input.end(`a\nb\n${'c'.repeat(200)}\nd`);
    await ended;
    assert.deepEqual(lines, ['a', 'b', 'c'.repeat(100), 'd']);
    assert.deepEqual(errors, [error, error, error]);
  });
});
