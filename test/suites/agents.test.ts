import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/ui/manifest/commands';
import { agentLogs, configureAgents, fake, recordOf, endAll } from './support';
import { eventually } from './workbench';

describe('Agents', () => {
  before(async () => {
    await agentLogs();
    await configureAgents({
      Deaf: fake('levelDeaf'),
      Able: { ...fake('setsLevel'), level: 'warning' },
      Crasher: fake('crashesAtOnce'),
      Silent: fake('silent'),
      Missing: { command: 'no-such-agent-anywhere' },
      Broken: { command: 7 },
      Floods: fake('floods', '50000'),
      Bad: fake('badLogs'),
    });
  });

  afterEach(endAll);

  after(() => configureAgents({}));

  it('have all commands registered', async () => {
    const all = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.values(commandIds)) assert.ok(all.has(id), id);
  });

  it('start by name, open sessions and take prompts from code', async () => {
    const runId = await vscode.commands.executeCommand<string>(commandIds.start, 'Able');
    const run = (await agentLogs()).runs[0]!;
    assert.equal(run.id, runId);
    assert.equal(run.state, 'running');
    assert.equal(run.level, 'warning');
    const sessionId = await vscode.commands.executeCommand<string>(commandIds.newSession, runId);
    assert.deepEqual(
      run.sessions.map(({ id }) => id),
      [sessionId],
    );
    const answer = await vscode.commands.executeCommand(commandIds.prompt, { runId, sessionId, text: 'go' });
    assert.deepEqual(answer, { stopReason: 'end_turn' });
    await vscode.commands.executeCommand(commandIds.stop, runId);
    assert.equal(run.state, 'ended');
    assert.equal(run.termination?.terminatedBy, 'client');
  });

  it('start only once, even if requested several times', async () => {
    const api = await agentLogs();
    const before = api.runs.length;
    const [one, other] = await Promise.all([api.start('Deaf'), api.start('Deaf')]);
    assert.equal(one.id, other.id);
    assert.equal(api.runs.length, before + 1);
  });

  it("report why they didn't start", async () => {
    const api = await agentLogs();
    await assert.rejects(api.start('Missing'), /'no-such-agent-anywhere' was not found/);
    await assert.rejects(api.start('Crasher'), /exited with code 3 before it answered `initialize`/);
    await assert.rejects(api.start('Broken'), /Set `command` to the program/);
    await assert.rejects(api.start('Nobody'), /no agent "Nobody"/);
    assert.equal(api.runs[0]?.state, 'ended');
  });

  it('change their level while running if they can, or report that a restart is needed', async () => {
    const api = await agentLogs();
    const able = await api.start('Able');
    assert.equal((await able.setLevel('debug')).agent, 'applied');
    assert.equal(able.level, 'debug');
    const deaf = await api.start('Deaf');
    assert.deepEqual(pickAgent(await deaf.setLevel('error')), { shown: true, agent: 'unsupported' });
    assert.deepEqual(pickAgent(await deaf.setLevel('debug')), { shown: true, agent: 'needs-restart' });
    await vscode.commands.executeCommand(commandIds.restart, deaf.id);
    const [again] = api.runs;
    assert.equal(again?.level, 'debug', 'the level is remembered');
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand(commandIds.setLevel, { agent: 'Deaf', level: 'loud' })),
      /must be one of debug/,
    );
  });

  it('reject commands with invalid arguments', async () => {
    const api = await agentLogs();
    const run = await api.start('Able');
    const sessionId = await run.newSession();
    const refused: readonly (readonly [id: string, arg: object, why: RegExp])[] = [
      [commandIds.stop, { runId: 42 }, /Expected a run ID/],
      [commandIds.closeSession, { sessionId: 'another' }, /Unknown session: another/],
      [commandIds.prompt, { sessionId: 'another', text: 'go' }, /Unknown session: another/],
      [commandIds.cancel, { requestId: 1 }, /runId/],
      [commandIds.cancel, { runId: run.id, requestId: null }, /Expected a request ID/],
      [commandIds.cancel, { runId: run.id, sessionId: 7 }, /Expected a session ID/],
    ];
    for (const [id, arg, why] of refused) {
      await assert.rejects(Promise.resolve(vscode.commands.executeCommand(id, arg)), why, id);
    }
    assert.equal(run.state, 'running');
    assert.equal(run.sessions.find(({ id }) => id === sessionId)?.ended, false);
    await assert.rejects(run.setLevel('verbose' as 'debug'), /takes one of debug/);
    assert.throws(() => run.records({ text: 5 as unknown as string }), /text is a string/);
    assert.throws(() => run.spans({ kinds: 'turn' as unknown as [] }), /kinds is a list/);
    const all = await run.query('', { count: 2 });
    assert.equal(all.records.length, 2);
    assert.equal(all.records.at(-1)?.seq, all.total);
    const lifecycle = await run.query('kind:lifecycle /./');
    assert.ok(lifecycle.total > 0 && lifecycle.records.every(({ kind }) => kind === 'lifecycle'));
    await assert.rejects(run.query('/(/'), /Invalid regular expression/);
  });

  it('show records as read-only documents with the raw line', async () => {
    const api = await agentLogs();
    const run = await api.start('Bad');
    await run.prompt(await run.newSession(), 'go');
    const record = await recordOf(run, ({ kind }) => kind === 'log');
    const [turn] = run.spans({ kinds: ['turn'] });
    assert.equal(turn?.title, 'go');
    const uri = vscode.Uri.from({ scheme: 'agent-logs-record', path: `/${run.id}/${record.seq} x.md` });
    const document = await vscode.workspace.openTextDocument(uri);
    const [heading, , , message] = document.getText().split('\n');
    assert.match(heading ?? '', new RegExp(`^# ${record.level}`));
    assert.equal(message, record.message.split('\n', 1)[0]);
    assert.match(document.getText(), /\n\{"jsonrpc"/);
  });

  it('survive a flood', async () => {
    const api = await agentLogs();
    const run = await api.start('Floods');
    await recordOf(run, ({ kind, message }) => kind === 'lifecycle' && message.startsWith('exited'));
    const { total } = await run.query('');
    assert.ok(total + run.dropped >= 50_000, `${total} of ${total + run.dropped}`);
    assert.equal(run.records().length, 5_000);
    await vscode.commands.executeCommand(commandIds.showOutput, run.id);
  });

  it("restart if requested while starting, and don't if they can't start", async () => {
    const api = await agentLogs();
    const first = api.start('Silent').then(
      () => 'started',
      () => 'ended',
    );
    const starting = await eventually(
      () => Promise.resolve(api.runs.find(({ name }) => name === 'Silent')),
      (run) => run?.state === 'starting',
    );
    assert.ok(starting);
    // It's stopped below, before it has started.
    const again = Promise.resolve(vscode.commands.executeCommand(commandIds.restart, starting.id)).catch(
      () => undefined,
    );
    assert.equal(await first, 'ended');
    await eventually(
      () => Promise.resolve(api.runs.filter(({ name, state }) => name === 'Silent' && state === 'starting')),
      (runs) => runs.length === 1 && runs[0]?.id !== starting.id,
    );
    await api.runs[0]?.stop();
    await again;
    const gone = await api.start('Able');
    await configureAgents({ Silent: fake('silent') });
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand(commandIds.restart, { runId: gone.id })),
      /no agent "Able"/,
    );
    assert.equal(gone.state, 'running');
  });
});

function pickAgent({ shown, agent }: { shown: boolean; agent: string }): object {
  return { shown, agent };
}
