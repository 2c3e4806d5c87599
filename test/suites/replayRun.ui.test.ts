import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentLogsApi, Run } from '../../api/agent-logs';
import { agentLogs, configureAgents, endAll } from './support';
import { eventually, Workbench } from './workbench';

/** What a run says of its sessions, times and the process aside. */
function seenIn(run: Run): object {
  const records = run
    .records()
    .filter(({ kind }) => kind !== 'lifecycle' && kind !== 'stderr')
    .map(({ kind, level, logger, message }) => `${kind} ${level} ${logger ?? ''} ${withoutTimes(message)}`);
  // The client's prompts come when it sends them.
  const [prompts, others] = [true, false].map((is) => records.filter((one) => /^\w+ \w+ prompt /.test(one) === is));
  const spans = run.spans().map(({ kind, title, outcome }) => `${kind} ${title} ${outcome ?? ''}`);
  return { titles: run.sessions.map(({ title }) => title), prompts, others, spans };
}

function withoutTimes(message: string): string {
  return message.replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, 'T');
}

describe('In the window: replaying a run', () => {
  let workbench: Workbench;
  let api: AgentLogsApi;
  let recorded: Run;

  const asked = (): Promise<unknown> =>
    workbench.quickPickRowsUntil((rows) => rows.some(({ label }) => label.includes('Allow once')));
  /** A session with two turns, the second of which asks a permission. */
  const play = async (run: Run): Promise<void> => {
    const sessionId = await run.newSession();
    await run.prompt(sessionId, '/levels');
    const turn = run.prompt(sessionId, '/permission');
    await asked();
    await workbench.pickInQuestion('Allow once');
    assert.equal((await turn).stopReason, 'end_turn');
  };
  const replay = async (arg: object): Promise<Run> => {
    const id = await vscode.commands.executeCommand<string>('agentLogs.replayRun', arg);
    const run = api.runs.find((one) => one.id === id);
    assert.ok(run, id);
    return run;
  };

  before(async () => {
    workbench = await Workbench.connect();
    api = await agentLogs();
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    recorded = await api.start('Sample Agent');
    await play(recorded);
  });

  after(async () => {
    await endAll();
    await configureAgents({});
  });

  it('says what to do while it is being recorded', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand('agentLogs.replayRun', { runId: recorded.id }),
      /Sample Agent is still running\. Stop it before you replay it\./,
    );
    await recorded.stop();
  });

  it('shows the sessions and records of the recording, and asks its permission', async () => {
    // The row is redrawn a moment after the run has ended.
    await eventually(
      () => workbench.treeMenu('Sessions', 'Sample Agent'),
      (menu) => menu.includes('Replay Run'),
    );
    const run = await replay({ runId: recorded.id });
    assert.deepEqual([run.name, run.protocol, run.state], ['Replay: Sample Agent', 'acp', 'running']);
    await play(run);
    await workbench.screenshot('replay-run');
    await run.stop();
    assert.deepEqual(seenIn(run), seenIn(recorded));
    assert.deepEqual(run.termination?.exitCode, recorded.termination?.exitCode);
  });
});
