import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';
import { messagesOf, readSavedLines } from '../../../support/savedRun';

describe('saved sessions of Continue', () => {
  it('are shown in their order at the time of the file, because they have no times', async () => {
    const home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    try {
      makeSavedHome(home);
      const sessions = new SavedSessions(savedHomeOptions(home));
      const [session] = (await sessions.list('continue')).sessions;
      assert.ok(session);
      const run = new FileRun(sessions.open(session), { level: 'info', maxMemory: 1e7, redaction: undefined });
      await run.read();
      await run.dispose();
      const records = run.log.store.query();
      assert.deepEqual([...new Set(records.map(({ receivedAt }) => receivedAt))], [session.modifiedAt]);
      assert.match(records.find(({ logger }) => logger === 'prompt')?.message ?? '', /^run the tests$/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('go on after a compaction, which leaves fewer items', () => {
    const item = (index: number, role: string, content: string): string =>
      JSON.stringify({ type: 'continue.item', index, message: { role, content } });
    const session = { type: 'continue.session', sessionId: 's1', workspaceDirectory: '/home/dev/shop' };
    const run = {
      log: readSavedLines([
        JSON.stringify(session),
        ...[item(0, 'user', 'run the tests'), item(1, 'assistant', 'They pass.')],
        ...[item(2, 'user', 'and the linter'), item(3, 'assistant', 'It passes, too.')],
        // What is saved from then on.
        ...[
          item(0, 'assistant', 'Summary: all is well.'),
          item(1, 'user', 'now commit'),
          item(2, 'assistant', 'Done.'),
        ],
      ]),
    };
    assert.equal(run.log.spans({ kinds: ['turn'] }).length, 3);
    for (const text of ['now commit', 'Done.']) assert.ok(messagesOf(run).includes(text), text);
  });
});
