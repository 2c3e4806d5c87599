import assert from 'node:assert/strict';
import { inputDigest } from '../../../../src/work/tools/inputDigest';
import { millisecondsFor } from '../../../support/doubling';

describe('the digest of an input', () => {
  it('is the same for the same input, whatever the order of its fields', () => {
    assert.equal(inputDigest({ path: 'a', lines: [1, 2] }), inputDigest({ lines: [1, 2], path: 'a' }));
    assert.equal(inputDigest(undefined), undefined);
    assert.notEqual(inputDigest({}), undefined);
  });

  it('differs if a name, a value or its place differs', () => {
    const values = [{ a: 'y' }, { a: ['x'] }, { a: { x: 1 } }, { a: '1' }, { a: 1 }];
    const inputs = [{ a: 'x' }, { b: 'x' }, ...values, ['a', 'x']];
    assert.equal(new Set(inputs.map(inputDigest)).size, inputs.length);
    const text = 'x'.repeat(5000);
    assert.notEqual(inputDigest({ content: `${text}1` }), inputDigest({ content: `${text}2` }));
  });

  it('leaves out what may differ between two runs of a command', () => {
    assert.equal(inputDigest({ command: 'ls', description: 'a' }), inputDigest({ command: 'ls', description: 'b' }));
    assert.notEqual(inputDigest({ url: 'x', description: 'a' }), inputDigest({ url: 'x', description: 'b' }));
  });

  it('reads only both ends of a long text', () => {
    const long = (end: string): object => ({ content: 'x'.repeat(10_000_000) + end });
    const inputs = [long('1'), long('2')];
    assert.ok(millisecondsFor(([one, two]) => assert.notEqual(inputDigest(one), inputDigest(two)), inputs) < 500);
  });
});
