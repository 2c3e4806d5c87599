import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentLogsApi, Run } from '../../api/agent-logs';
import { agentLogs, configureAgents, endAll, recordOf } from './support';
import { eventually, Workbench } from './workbench';

const replayed = 'Replay: Sample Agent';
const transcript = (name: string): vscode.Uri => {
  const { extensionUri } = vscode.extensions.getExtension('agent-logs.agent-logs')!;
  return vscode.Uri.joinPath(extensionUri, 'test', 'fixtures', name);
};

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
    eventually(
      () => workbench.quickPickRows(),
      (rows) => rows.some(({ label }) => label.includes('Allow once')),
    );
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
    await workbench.disconnect();
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
    assert.deepEqual([run.name, run.protocol, run.state], [replayed, 'acp', 'running']);
    await play(run);
    await workbench.screenshot('replay-run');
    await run.stop();
    assert.deepEqual(seenIn(run), seenIn(recorded));
    assert.deepEqual(run.termination?.exitCode, recorded.termination?.exitCode);
  });

  it('refuses a prompt that was not recorded, and says what was expected', async () => {
    const run = await replay({ uri: recorded.journal });
    assert.equal(run.name, replayed);
    const sessionId = await run.newSession();
    await assert.rejects(run.prompt(sessionId, 'something else'), /Not in the recording: session\/prompt/);
    const { message } = await recordOf(run, ({ kind }) => kind === 'diagnosis');
    assert.match(message, /Not in the recording: session\/prompt .*something else/);
    await workbench.screenshot('replay-unexpected');
    await run.stop();
  });

  it('starts what the settings name, in the protocol of the recording', async () => {
    await configureAgents({
      Server: { replay: transcript('transcripts/mcp-everything.ndjson').fsPath, args: ['--speed', 'max'] },
      Stream: { replay: transcript('streams/claude.ndjson').fsPath, args: ['--speed', 'max'] },
      Language: { replay: transcript('transcripts/lsp-login.ndjson').fsPath, args: ['--speed', 'max'] },
      Gone: { replay: 'none.ndjson' },
    });
    const server = await api.start('Server');
    assert.deepEqual([server.protocol, server.state], ['mcp', 'running']);
    const result = (await server.callTool('toggle-simulated-logging', {})) as { content: { type: string }[] };
    assert.equal(result.content[0]?.type, 'text');
    const stream = await api.start('Stream');
    await eventually(
      () => Promise.resolve(stream.state),
      (state) => state === 'ended',
    );
    assert.equal(stream.protocol, 'stream-json');
    assert.deepEqual([stream.termination?.exitCode, stream.spans({ kinds: ['turn'] }).length], [0, 1]);
    const language = await api.start('Language');
    assert.deepEqual([language.protocol, language.state], ['lsp', 'running']);
    await assert.rejects(api.start('Gone'), /agentLogs\.agents\["Gone"\]: .*none\.ndjson doesn't exist/);
  });

  it('says what to do without a journal', async () => {
    const settings = vscode.workspace.getConfiguration('agentLogs');
    await settings.update('journal.enabled', false, vscode.ConfigurationTarget.Workspace);
    const run = await api.start('Sample Agent');
    await settings.update('journal.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    await run.stop();
    await assert.rejects(
      async () => vscode.commands.executeCommand('agentLogs.replayRun', { runId: run.id }),
      /has no journal to replay\. Turn on `agentLogs\.journal\.enabled`/,
    );
    const folder = mkdtempSync(join(tmpdir(), 'agent-logs-replay-'));
    const log = vscode.Uri.file(join(folder, 'log.ndjson'));
    writeFileSync(log.fsPath, '{"level":30,"time":1730000000000,"msg":"hello"}\n');
    await assert.rejects(
      async () => vscode.commands.executeCommand('agentLogs.replayRun', { uri: log }),
      /has no messages of an agent/,
    );
    rmSync(folder, { recursive: true });
  });
});
