import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';

describe('saved sessions of Continue', () => {
  it('are shown in their order at the time of the file, because they have no times', async () => {
    const home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    try {
      makeSavedHome(home);
      const sessions = new SavedSessions(savedHomeOptions(home));
      const [session] = (await sessions.list('continue')).sessions;
      assert.ok(session);
      const run = new FileRun(sessions.open(session), { level: 'info', maxMemory: 1e7 });
      await run.read();
      await run.dispose();
      const records = run.log.store.query();
      assert.deepEqual([...new Set(records.map(({ receivedAt }) => receivedAt))], [session.modifiedAt]);
      assert.match(records.find(({ logger }) => logger === 'prompt')?.message ?? '', /^run the tests$/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
