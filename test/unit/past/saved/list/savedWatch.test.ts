import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { FSWatcher } from 'node:fs';
import { appendFileSync } from 'node:fs';
import { mock } from 'node:test';
import { SavedWatch } from '../../../../../src/past/saved/list/savedWatch';
import { useSavedHome } from '../../../../support/savedSuite';

describe('watched saved sessions', () => {
  const home = useSavedHome('filled');

  it('report that a session grew', async () => {
    const sessions = home.sessions();
    const [session] = (await sessions.list('claude')).sessions;
    assert.ok(session);
    const changed = new Promise<string>((resolve) => sessions.onDidChange(resolve));
    const watching = sessions.watch('claude');
    // Changes are only reported after the first look.
    await sessions.list('claude');
    const timer = setInterval(() => appendFileSync(session.path, '{}\n'), 50);
    try {
      assert.equal(await changed, 'claude');
    } finally {
      clearInterval(timer);
      watching.dispose();
    }
  });

  it('are watched again after a watcher has failed', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const watchers: EventEmitter[] = [];
    const watching = new SavedWatch(
      () => Promise.resolve([{ path: '/a/b/c', size: 1, modifiedAt: 1 }]),
      () => undefined,
      () => {
        const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
        watchers.push(watcher);
        return watcher as unknown as FSWatcher;
      },
    );
    const look = async (): Promise<number> => {
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      mock.timers.tick(10_000);
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
      return watchers.length;
    };
    try {
      assert.equal(await look(), 2);
      watchers[0]?.emit('error', new Error('too many'));
      assert.equal(await look(), 3);
      assert.equal(await look(), 3);
    } finally {
      watching.dispose();
      mock.timers.reset();
    }
  });
});
