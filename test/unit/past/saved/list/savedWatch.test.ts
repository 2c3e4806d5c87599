import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';

describe('watched saved sessions', () => {
  it('report that a session grew', async () => {
    const home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    const sessions = new SavedSessions(savedHomeOptions(home));
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
      rmSync(home, { recursive: true, force: true });
    }
  });
});
