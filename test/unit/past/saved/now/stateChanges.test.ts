import assert from 'node:assert/strict';
import type { SessionState } from '../../../../../src/past/saved/now/sessionState';
import { keyOf } from '../../../../../src/past/saved/now/sessionState';
import type { SessionNow } from '../../../../../src/past/saved/now/stateChanges';
import { StateChanges } from '../../../../../src/past/saved/now/stateChanges';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';

const session = (id: string): Pick<SessionNow, 'key' | 'session' | 'agentName'> => {
  const saved: SavedSession = { agent: 'pi', id, path: '/home/me/s.jsonl', size: 1, modifiedAt: 1 };
  return { key: keyOf(saved), session: saved, agentName: 'pi' };
};
const working: SessionState = { type: 'working', doing: { type: 'waiting-for-model', since: 1 } };
const done: SessionState = { type: 'done', at: 5 };

describe('what the user hasn’t looked at', () => {
  it('is still unread in the next window, with what ended in between', () => {
    const first = new StateChanges<SavedSession>();
    for (const id of ['ended', 'works', 'read', 'old']) first.see(session(id), id === 'old' ? done : working, true);
    first.see(session('ended'), done, false);
    first.see(session('read'), done, false);
    const read = first.all.find(({ session: { id } }) => id === 'read');
    first.read(read?.key ?? '');
    const marks = first.marksToLeave;
    assert.equal(marks.length, 2);
    assert.doesNotMatch(marks.join(' '), /home|jsonl|works/, 'no paths');

    const next = new StateChanges<SavedSession>(new Set(marks));
    for (const id of ['ended', 'works', 'read', 'old']) {
      const change = next.see(session(id), done, true);
      assert.ok(typeof change === 'object' && change.isFirst);
    }
    assert.deepEqual(
      next.all.filter(({ isUnread }) => isUnread).map(({ session: { id } }) => id),
      ['ended', 'works'],
    );
    assert.deepEqual([...next.marksToLeave].sort(), [...marks].sort());
  });
});
