import * as assert from 'node:assert/strict';
import { giveDataInLine } from '../../../src/store/dataInLine';
import type { LogRecord } from '../../../src/text/record';
import { ShortSessionIds } from '../../../src/store/shortSessionIds';

const record = (): LogRecord => ({ seq: 1, receivedAt: 0, level: 'info', kind: 'log', message: 'hello' });

function withData(line: string): LogRecord {
  const given = record();
  giveDataInLine(given, line, ['params', 'data'], new ShortSessionIds());
  return given;
}

describe('data in the line of a record', () => {
  const line = '{"params":{"data":{"file":"a.ts"}}}';
  const whole = { ...record(), data: { file: 'a.ts' } };

  it('is as any other field: of a plain object, compared, copied and written as JSON', () => {
    assert.deepEqual(withData(line), whole);
    assert.deepEqual({ ...withData(line) }, whole);
    assert.deepEqual(structuredClone(withData(line)), whole);
    assert.equal(JSON.stringify(withData(line)), JSON.stringify(whole));
  });

  it("is read from each record's line", () => {
    for (const data of [1, 2]) assert.equal(withData(`{"params":{"data":${data}}}`).data, data);
  });

  it('is behind a byte order mark, too, and nothing where the names lead nowhere or the line is no JSON', () => {
    assert.deepEqual(withData(`\ufeff${line}`).data, { file: 'a.ts' });
    assert.equal(withData('{"params":null}').data, undefined);
    assert.equal(withData('{"params":').data, undefined);
  });
});
