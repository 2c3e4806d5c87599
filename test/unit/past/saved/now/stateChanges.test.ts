import assert from 'node:assert/strict';
import type { SessionState } from '../../../../../src/past/saved/now/sessionState';
import { isSameState, keyOf } from '../../../../../src/past/saved/now/sessionState';
import type { SessionNow } from '../../../../../src/past/saved/now/stateChanges';
import { StateChanges } from '../../../../../src/past/saved/now/stateChanges';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';

const session = (id: string): Pick<SessionNow, 'key' | 'session' | 'agentName'> => {
  const saved: SavedSession = { agent: 'pi', id, path: '/home/me/s.jsonl', size: 1, modifiedAt: 1 };
  return { key: keyOf(saved), session: saved, agentName: 'pi' };
};
const working: SessionState = { type: 'working', doing: { type: 'waiting-for-model', since: 1 } };
const done: SessionState = { type: 'done', at: 5 };

describe('states of which people notice a difference', () => {
  const tool = (title: string, since: number): SessionState => {
    return { type: 'working', doing: { type: 'running-tool', title, since } };
  };
  const asks = (subject: string, since: number): SessionState => {
    return { type: 'waiting', doing: { type: 'waiting-for-person', asking: 'permission', subject, since } };
  };
  const failed = (why: string, at: number): SessionState => ({ type: 'failed', why, at });
  const rows: readonly (readonly [one: SessionState, other: SessionState, isSame: boolean])[] = [
    [tool('ls', 1), tool('ls', 2), true],
    [tool('ls', 1), tool('cat', 1), false],
    [tool('ls', 1), working, false],
    [asks('ls', 1), asks('ls', 1), true],
    [asks('ls', 1), asks('ls', 2), false],
    [asks('ls', 1), asks('cat', 1), false],
    [failed('no credit', 1), failed('no credit', 1), true],
    [failed('no credit', 1), failed('limit', 1), false],
    [failed('no credit', 1), failed('no credit', 2), false],
    [done, { type: 'done', at: 5 }, true],
    [done, { type: 'idle', at: 5 }, false],
    [done, { type: 'done', at: 6 }, false],
  ];
  for (const [one, other, isSame] of rows) {
    it(`${JSON.stringify(one)} and ${JSON.stringify(other)}: ${isSame ? 'none' : 'one'}`, () => {
      assert.equal(isSameState(one, other), isSame);
      assert.equal(isSameState(other, one), isSame);
    });
  }
});

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
