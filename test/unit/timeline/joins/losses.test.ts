import assert from 'node:assert/strict';
import type { CallEnd } from '../../../../src/timeline/joins/losses';
import { lossesOf } from '../../../../src/timeline/joins/losses';
import { callText, toolInput } from '../../../../src/work/tools/callText';

interface Given extends Partial<Omit<CallEnd, 'args' | 'result'>> {
  readonly args?: unknown;
  readonly result?: string;
}

function end({ args = {}, result = 'Momo, 1973', ...some }: Given = {}): CallEnd {
  const outcome = 'ok';
  const texts = { args: toolInput(args).args, result: callText(result) };
  return { name: 'find', startedAt: 100, endedAt: 900, outcome, ...texts, ...some };
}

function losses(call: Given, ...requests: readonly Given[]): readonly object[] {
  return lossesOf(end(call), requests.map(end)).filter(({ type }) => type !== 'waited');
}

describe('what is lost between an agent’s call and its request', () => {
  it('is nothing if both are the same, in whatever order the arguments come', () => {
    assert.deepEqual(losses({ args: { a: 1, b: [2] } }, { args: { b: [2], a: 1 } }), []);
  });

  it('is the time before the first request, and after the last answer', () => {
    const first = end({ startedAt: 150, endedAt: 200, outcome: 'error' });
    const last = end({ startedAt: 300, endedAt: 600 });
    assert.deepEqual(lossesOf(end(), [first, last]), [{ type: 'waited', before: 50, after: 300 }]);
    const open = end({ startedAt: 150, endedAt: undefined });
    assert.deepEqual(lossesOf(end({ endedAt: undefined }), [open]), [{ type: 'waited', before: 50, after: undefined }]);
    assert.deepEqual(lossesOf(end(), [end({ startedAt: 40 })]), [{ type: 'late', by: 60 }]);
    // Two processes wrote down the times.
    assert.deepEqual(lossesOf(end(), [end({ startedAt: 98 })]), [{ type: 'waited', before: 0, after: 0 }]);
  });

  it('is the name, and each argument that was changed, removed or added', () => {
    const args = { title: 'Momo', year: 1973, deep: { a: 1 } };
    const got = { title: 'momo', deep: { a: 1 }, limit: 10 };
    const fields = [
      { name: 'title', how: 'changed' },
      { name: 'year', how: 'removed' },
      { name: 'limit', how: 'added' },
    ];
    assert.deepEqual(losses({ name: 'mcp__books__find', args }, { args: got }), [
      { type: 'name', asked: 'mcp__books__find', got: 'find' },
      { type: 'arguments', fields },
    ]);
    assert.deepEqual(losses({ args: null }, { args: { title: 'Momo' } }), [{ type: 'arguments-unknown' }]);
    assert.deepEqual(losses({ args: null }, { args: {} }), []);
  });

  it('compares arguments too long to be kept by their lengths', () => {
    const text = 'x'.repeat(5000);
    assert.deepEqual(losses({ args: { text, a: 1 } }, { args: { a: 1, text } }), []);
    assert.deepEqual(losses({ args: { text } }, { args: { text: `${text}y` } }), [{ type: 'arguments', fields: [] }]);
  });

  it('is what the agent left out of the result', () => {
    const whole = 'line\n'.repeat(5000).trim();
    const cut = { type: 'result-cut', kept: 999, of: 24_999 };
    assert.deepEqual(losses({ result: whole.slice(0, 999) }, { result: whole }), [cut]);
    assert.deepEqual(losses({ result: '' }, {}), [{ type: 'result-unknown' }]);
    assert.deepEqual(losses({ endedAt: undefined, result: '' }, {}), []);
  });

  it('isn’t what the agent puts around a result, or between its parts', () => {
    assert.deepEqual(losses({ result: '```\nMomo, 1973\n```' }, {}), []);
    assert.deepEqual(losses({ result: 'Momo,\n1973' }, {}), []);
    const long = 'all the books '.repeat(1000);
    assert.deepEqual(losses({ result: `Result: ${long}` }, { result: long }), []);
  });

  it('is a result that became another text, and an outcome that became another', () => {
    assert.deepEqual(losses({ result: 'Nothing found.' }, {}), [{ type: 'result-changed', kept: 14, of: 10 }]);
    assert.deepEqual(losses({ outcome: 'ok' }, { outcome: 'error' }), [{ type: 'outcome', isServers: true }]);
    assert.deepEqual(losses({ outcome: 'error' }, { outcome: 'ok' }), [{ type: 'outcome', isServers: false }]);
  });
});
