import assert from 'node:assert/strict';
import { isWindows, isWine } from '../../support/platform';
import { column } from '../../support/columns';
import { ended, linesOf, TestRuns } from '../../support/testRun';

/** Waits to be stopped, for as long as a busy machine may take to do that. */
const waits = { args: ['-e', 'setTimeout(() => {}, 600_000)'] };

describe('an agent’s command line that prints JSON lines', () => {
  const runs = TestRuns.ofSuite();

  it('gets the end of its input at once, and is read to its end', async () => {
    const run = await runs.start('stream-claude', { args: ['hello'] });
    const { reason, terminatedBy, exitCode } = await ended(run);
    assert.deepEqual([reason, terminatedBy, exitCode], ['completed', 'agent', 0]);
    assert.ok(linesOf(run).some((line) => line.includes('You said: hello')));
    assert.ok(linesOf(run, 'diagnosis').some((line) => line.startsWith('warning tool-failed')));
    assert.equal(run.log.sessions[0]?.ended, true);
  });

  it('may begin with a byte order mark', async () => {
    const script = `console.log('\\ufeff{"type":"system","subtype":"init","session_id":"s1","model":"m"}')`;
    const run = await runs.start('stream-claude', { spec: { args: ['-e', script] } });
    await ended(run);
    assert.deepEqual(column(run.log.sessions, 'id'), ['s1']);
  });

  it('rejects requests', async () => {
    const run = await runs.start('stream-claude', { spec: waits });
    for (const request of [run.newSession(), run.cancel({ requestId: 1 })]) {
      await assert.rejects(request, /takes no requests/);
    }
    assert.equal(await run.setLevel('debug'), 'unsupported');
    assert.equal((await run.stop({ close: 0, terminate: 1000 })).terminatedBy, 'client');
  });

  it('is not waited for when stopped, because its input has already ended', async () => {
    const run = await runs.start('stream-claude', { spec: waits });
    const termination = await run.stop({ close: 60_000, terminate: 60_000 });
    assert.equal(termination.terminatedBy, 'client');
    if (!isWindows) assert.equal(termination.signal, 'SIGTERM');
    if (!isWine) assert.deepEqual(linesOf(run, 'diagnosis'), []); // its taskkill is slow, and fails
  });
});
