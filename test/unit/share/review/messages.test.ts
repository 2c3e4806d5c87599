import * as assert from 'node:assert/strict';
import { readReviewMessage } from '../../../../src/share/review/messages';

describe('messages of the review', () => {
  it('are read without anything else', () => {
    for (const type of ['ready', 'save', 'cancel']) assert.deepEqual(readReviewMessage({ type, more: 1 }), { type });
    const tick = { type: 'tick', id: 'wire', isChecked: false };
    assert.deepEqual(readReviewMessage({ ...tick, more: 1 }), tick);
    assert.deepEqual(readReviewMessage({ type: 'preset', id: 'minimal' }), { type: 'preset', id: 'minimal' });
    assert.deepEqual(readReviewMessage({ type: 'format', id: 'markdown' }), { type: 'format', id: 'markdown' });
    for (const place of [{ tab: 'turns', seq: 3 }, { tab: 'log' }]) {
      assert.deepEqual(readReviewMessage({ type: 'open', place: { ...place, run: 'x' } }), { type: 'open', place });
    }
  });

  it('are nothing if they are invalid', () => {
    const invalid: readonly unknown[] = [
      ...[undefined, 'save', {}, { type: 'write' }],
      { type: 'tick', id: 'everything', isChecked: true },
      { type: 'tick', id: 'wire', isChecked: 'yes' },
      { type: 'preset', id: 'most' },
      { type: 'format', id: 'pdf' },
      { type: 'open' },
      { type: 'open', place: { tab: 'files' } },
      { type: 'open', place: { tab: 'log', seq: '3' } },
    ];
    for (const message of invalid) assert.equal(readReviewMessage(message), undefined, JSON.stringify(message));
  });
});
