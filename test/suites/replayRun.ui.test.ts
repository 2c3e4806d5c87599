import * as assert from 'node:assert/strict';
import type { AgentLogsApi, Run } from '../../api/agent-logs';
import { agentLogs, execute, inWindow } from './support';
import { poll } from './waiting';

/** What a run says of its sessions, times and the process aside. */
function seenIn(run: Run): object {
  const records = run
    .records()
    .filter(({ kind }) => kind !== 'lifecycle' && kind !== 'stderr')
    .map(({ kind, level, logger, message }) => `${kind} ${level} ${logger ?? ''} ${message}`)
    .map((line) => line.replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, 'T'));
  // The client's prompts come when it sends them.
  const [prompts, others] = [true, false].map((is) => records.filter((one) => /^\w+ \w+ prompt /.test(one) === is));
  const spans = run.spans().map(({ kind, title, outcome }) => `${kind} ${title} ${outcome ?? ''}`);
  return { titles: run.sessions.map(({ title }) => title), prompts, others, spans };
}

describe('In the window: replaying a run', () => {
  const workbench = inWindow();
  let api: AgentLogsApi;
  let recorded: Run;

  /** A session with two turns, the second of which asks a permission. */
  const play = async (run: Run): Promise<void> => {
    const sessionId = await run.newSession();
    await run.prompt(sessionId, '/levels');
    const turn = run.prompt(sessionId, '/permission');
    await workbench.offered('Allow once');
    await workbench.pickInQuestion('Allow once');
    assert.equal((await turn).stopReason, 'end_turn');
  };

  before(async () => {
    api = await agentLogs();
    recorded = await api.start('Sample Agent');
    await play(recorded);
  });

  it('says what to do while it is being recorded', async () => {
    await assert.rejects(
      execute('agentLogs.replayRun', { runId: recorded.id }),
      /Sample Agent is still running\. Stop it before you replay it\./,
    );
    await recorded.stop();
  });

  it('shows the sessions and records of the recording, and asks its permission', async () => {
    // The row is redrawn a moment after the run has ended.
    await poll(() => workbench.treeMenu('Sample Agent')).until((menu) => menu.includes('Replay Run'));
    const id = await execute<string>('agentLogs.replayRun', { runId: recorded.id });
    const run = api.runs.find((one) => one.id === id)!;
    assert.deepEqual([run.name, run.protocol, run.state], ['Replay: Sample Agent', 'acp', 'running']);
    await play(run);
    await run.stop();
    assert.deepEqual(seenIn(run), seenIn(recorded));
    assert.deepEqual(run.termination?.exitCode, recorded.termination?.exitCode);
  });
});
