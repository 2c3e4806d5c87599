import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/ui/manifest/commands';
import type { Run } from '../../api/agent-logs';
import { agentLogs, configureAgents, endAll, execute, fake, recordOf, withAgents } from './support';
import { eventually, poll } from './waiting';

describe('Agents', () => {
  withAgents({
    Deaf: fake('levelDeaf'),
    Able: { ...fake('setsLevel'), level: 'warning' },
    Crasher: fake('crashesAtOnce'),
    Silent: fake('silent'),
    Missing: { command: 'no-such-agent-anywhere' },
    Broken: { command: 7 },
    Floods: fake('floods', '50000'),
    Bad: fake('badLogs'),
  });

  afterEach(endAll);

  it('have all commands registered', async () => {
    const all = new Set(await vscode.commands.getCommands(true));
    for (const id of Object.values(commandIds)) assert.ok(all.has(id), id);
  });

  it('start by name, open sessions and take prompts from code', async () => {
    const runId = await execute<string>(commandIds.start, 'Able');
    const run = (await agentLogs()).runs[0]!;
    assert.equal(run.id, runId);
    assert.equal(run.state, 'running');
    assert.equal(run.level, 'warning');
    const sessionId = await execute<string>(commandIds.newSession, runId);
    assert.deepEqual(
      run.sessions.map(({ id }) => id),
      [sessionId],
    );
    const answer = await execute(commandIds.prompt, { runId, sessionId, text: 'go' });
    assert.deepEqual(answer, { stopReason: 'end_turn' });
    await execute(commandIds.stop, runId);
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
    for (const [level, expected] of [
      ['error', 'unsupported'],
      ['debug', 'needs-restart'],
    ] as const) {
      const { shown, agent } = await deaf.setLevel(level);
      assert.deepEqual([shown, agent], [true, expected]);
    }
    await execute(commandIds.restart, deaf.id);
    const [again] = api.runs;
    assert.equal(again?.level, 'debug', 'the level is remembered');
    await assert.rejects(execute(commandIds.setLevel, { agent: 'Deaf', level: 'loud' }), /must be one of debug/);
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
      await assert.rejects(execute(id, arg), why, id);
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
    await execute(commandIds.showOutput, run.id);
  });

  it("restart if requested while starting, and don't if they can't start", async () => {
    const api = await agentLogs();
    const first = api.start('Silent').then(
      () => 'started',
      () => 'ended',
    );
    const isStarting = ({ name, state }: Run): boolean => name === 'Silent' && state === 'starting';
    const starting = await eventually(() => api.runs.find(isStarting));
    // It's stopped below, before it has started.
    const again = execute(commandIds.restart, starting.id).catch(() => undefined);
    assert.equal(await first, 'ended');
    await poll(() => api.runs.filter(isStarting)).until((runs) => runs.length === 1 && runs[0]?.id !== starting.id);
    await api.runs[0]?.stop();
    await again;
    const gone = await api.start('Able');
    await configureAgents({ Silent: fake('silent') });
    await assert.rejects(execute(commandIds.restart, { runId: gone.id }), /no agent "Able"/);
    assert.equal(gone.state, 'running');
  });
});
