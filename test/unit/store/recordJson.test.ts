import assert from 'node:assert/strict';
import { recordJson } from '../../../src/text/format';
import { deepJson } from '../../../src/text/jsonText';

describe('a record as a line of JSON', () => {
  it('is written however deep its data are', () => {
    const data = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    const record = { seq: 1, receivedAt: 2, level: 'info', kind: 'log', message: 'm', data } as const;
    const written = JSON.parse(recordJson(record)) as Record<string, unknown>;
    assert.equal(written['message'], 'm');
    assert.equal(deepJson(written['data']), deepJson(data));
  });
});

describe('a value from JSON as JSON', () => {
  it('is the same text, however deep it is nested', () => {
    const inner = '{"a":[1,"\\u0000\\n",true,null,{},[]],"__proto__":2,"b":';
    const text = `${inner.repeat(30_000)}"x"${'}'.repeat(30_000)}`;
    assert.equal(deepJson(JSON.parse(text)), text);
    const wide = `[${'0,'.repeat(200_000)}${text}]`;
    assert.ok(deepJson(JSON.parse(wide)) === wide);
    assert.equal(deepJson([undefined, { a: undefined, b: 1 }]), '[null,{"b":1}]');
  });

  it('is refused if it is circular', () => {
    const circular: unknown[] = [];
    circular.push(circular);
    assert.throws(() => deepJson(circular), TypeError);
  });
});
