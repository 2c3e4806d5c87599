import assert from 'node:assert/strict';
import { recordJson } from '../../../src/text/format';

describe('a record as a line of JSON', () => {
  it('is written however deep its data are', () => {
    const data = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    const record = { seq: 1, receivedAt: 2, level: 'info', kind: 'log', message: 'm', data } as const;
    const written = JSON.parse(recordJson(record)) as Record<string, unknown>;
    assert.deepEqual([written['message'], written['data']], ['m', '(nested too deep)']);
  });
});
