import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { itWithEsbuild } from '../../support/platform';
import { TestRuns } from '../../support/testRun';

const sample = { command: process.execPath, args: ['--import', 'tsx', resolve('src/sampleAgent/main.ts')] };

describe('resuming a session', () => {
  const runs = TestRuns.ofSuite();

  for (const [fake, spec] of Object.entries({ sample, version2: {} })) {
    itWithEsbuild(`restores a closed session with its history, which isn't news (${fake})`, async () => {
      const run = await runs.start(fake, { spec });
      assert.equal(run.canResumeSessions, true);
      const sessionId = await run.newSession();
      assert.deepEqual(await run.listSessions(), [], 'it is open');
      await run.prompt(sessionId, 'Hello');
      await run.closeSession(sessionId);
      const [earlier, ...others] = await run.listSessions();
      assert.deepEqual([earlier?.sessionId, earlier?.title, earlier?.cwd], [sessionId, 'Hello', run.cwd]);
      assert.deepEqual(others, []);
      const before = run.log.store.query({ sessionId }).length;
      const problems = run.log.store.query({ kinds: ['diagnosis'] }).length;
      await run.resumeSession(sessionId);
      assert.equal(run.log.find(sessionId)?.ended, false);
      const replayed = run.log.store.query({ sessionId }).slice(before);
      assert.ok(!replayed.some(({ level, kind }) => level !== 'debug' && kind === 'activity'));
      assert.ok(replayed.some(({ message }) => message.includes('Hello')));
      assert.equal(run.log.store.query({ kinds: ['diagnosis'] }).length, problems);
      assert.deepEqual(await run.prompt(sessionId, 'Again'), { stopReason: 'end_turn' });
    });
  }

  it('fails if the agent has no session of that ID, or cannot resume', async () => {
    const run = await runs.start('promptError');
    assert.equal(run.canResumeSessions, false);
    await assert.rejects(run.resumeSession('other'), /can't resume sessions/);
  });
});
