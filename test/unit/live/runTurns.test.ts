import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { AcpClientOptions } from '../../../src/live/acp/acpClient';
import { levels } from '../../../src/text/level';
import type { Run } from '../../../src/live/run';
import { Cancelled } from '../../../src/time/waiting';
import { isWindows, isWine, itIfStdoutCloses, itOnPosix, itUnless } from '../../support/platform';
import { ended, gone, isAlive, linesOf, recordOf, TestRuns } from '../../support/testRun';

/** Returns a counter of how often a method is sent to the agent from now on. */
function sent(run: Run, method: string): () => number {
  let count = 0;
  run.onEvent((event) => (count += event.dir === 'c2a' && event.line.includes(`"method":"${method}"`) ? 1 : 0));
  return () => count;
}

describe('a working run', () => {
  const runs = TestRuns.ofSuite();

  it('keeps every malformed log, and prevents forged entries', async () => {
    const run = await runs.start('badLogs');
    const sessionId = await run.newSession();
    let sent = 0;
    run.onEvent((event) => {
      if (event.dir === 'a2c' && /"method":"(log|_agent-logs\/log|__?posthog\/console)"/.test(event.line)) sent++;
    });
    assert.deepEqual(await run.prompt(sessionId, 'go'), { stopReason: 'end_turn' });
    assert.ok(sent > 15);
    assert.equal(run.log.store.query({ kinds: ['log'] }).length, sent);
  });

  it('keeps junk on stdout, and continues', async () => {
    const run = await runs.start('garbage');
    assert.equal((await run.prompt(await run.newSession(), 'go')).stopReason, 'end_turn');
    assert.ok(linesOf(run).some((line) => line.startsWith('warning stdout: not JSON')));
  });

  it('settles every request, whatever IDs come back', async () => {
    const run = await runs.start('oddIds');
    const sessionId = await run.newSession();
    await assert.rejects(run.prompt(sessionId, 'go'));
    await run.closeSession(sessionId);
    assert.deepEqual(run.log.requests, []);
  });

  it("refuses what it didn't offer with -32601", async () => {
    const run = await runs.start('unknownEverything');
    await run.prompt(await run.newSession(), 'go');
    const refused = run.log.store.query({ text: '(-32601)' });
    assert.ok(refused.length >= 3);
    assert.ok(refused.every(({ level }) => level === 'info'));
  });

  it('cancels a turn and its pending permission request', async () => {
    let asked = 0;
    let noteAsked: () => void = () => undefined;
    const firstAsked = new Promise<void>((resolve) => (noteAsked = resolve));
    const askPermission: AcpClientOptions['askPermission'] = (_request, token) => {
      asked++;
      noteAsked();
      return new Promise((resolve) => token.onCancellationRequested(() => resolve(undefined)));
    };
    const run = await runs.start('asksPermission', { client: { askPermission } });
    const sessionId = await run.newSession();
    const turn = run.prompt(sessionId, 'go');
    await firstAsked;
    await run.cancel({ sessionId });
    await turn;
    assert.equal(asked, 1, 'the second request is answered without asking');
    assert.equal(linesOf(run).filter((line) => line.startsWith('info permission: answered: cancelled')).length, 2);
  });

  it('closes the picker when the agent withdraws its request', async () => {
    let withdrawn = false;
    const askPermission: AcpClientOptions['askPermission'] = (_request, token) =>
      new Promise((resolve) => token.onCancellationRequested(() => resolve(void (withdrawn = true))));
    const run = await runs.start('cancelsOwnRequest', { client: { askPermission } });
    await run.prompt(await run.newSession(), 'go');
    assert.equal(withdrawn, true);
  });

  it('logs in when the agent requires it, once the user has chosen a method', async () => {
    const offered: string[] = [];
    const chooseAuthMethod: AcpClientOptions['chooseAuthMethod'] = (methods) => {
      offered.push(...methods.map(({ id }) => id));
      return Promise.resolve('token');
    };
    const run = await runs.start('needsAuth', { client: { chooseAuthMethod } });
    assert.ok(await run.newSession());
    assert.deepEqual(offered, ['broken', 'token']);
  });

  it("doesn't retry a request that was cancelled during the login", async () => {
    const source = new CancellationTokenSource();
    const opening = await runs.start('needsAuth', {
      client: { chooseAuthMethod: () => (source.cancel(), Promise.resolve('token')) },
    });
    const opened = sent(opening, 'session/new');
    await assert.rejects(opening.newSession(undefined, source.token), Cancelled);
    await opening.newSession();
    assert.equal(opened(), 2, 'the first, and the one that nobody gave up');

    let cancel = (): Promise<void> => Promise.reject(new Error('too early'));
    const turning = await runs.start('needsAuth', {
      args: ['session/prompt'],
      client: { chooseAuthMethod: () => cancel().then(() => 'token') },
    });
    const sessionId = await turning.newSession();
    cancel = () => turning.cancel({ sessionId });
    const prompted = sent(turning, 'session/prompt');
    assert.deepEqual(await turning.prompt(sessionId, 'go'), { stopReason: 'cancelled' });
    assert.deepEqual(await turning.prompt(sessionId, 'go'), { stopReason: 'end_turn' });
    assert.equal(prompted(), 2);
  });

  it("reports that the user isn't logged in", async () => {
    const other = await runs.start('needsAuth');
    await assert.rejects(other.newSession(), /The login was dismissed/);
  });

  it('changes the level if the agent supports it, and says when it takes a restart', async () => {
    const able = await runs.start('setsLevel', { level: 'info' });
    assert.equal(await able.setLevel('debug'), 'applied');
    const deaf = await runs.start('levelDeaf', { level: 'warning' });
    assert.equal(await deaf.setLevel('error'), 'unsupported');
    assert.equal(await deaf.setLevel('debug'), 'needs-restart');
    assert.equal(await deaf.setLevel('off'), 'unsupported');
    assert.equal(deaf.level, 'off');
    const silent = await runs.start('slowInitialize', { args: ['1'] });
    await silent.stop();
    assert.equal(await silent.setLevel('debug'), 'unsupported');
  });

  it('gets the requested levels from an agent that honours the level', async () => {
    const run = await runs.start('levelDeaf', { level: 'error' });
    await run.prompt(await run.newSession(), 'go');
    const logged = new Set(run.log.store.query({ kinds: ['log'] }).map(({ level }) => level));
    assert.deepEqual([...logged].sort(), levels.slice(4).sort());
  });

  it('handles a flood without losing count', async () => {
    const run = await runs.start('floods', { args: ['20000'], limits: { maxMemory: 1024 * 1024 } });
    await ended(run);
    const kept = run.log.store.query({ kinds: ['log'] }).length;
    assert.ok(kept < 20_000);
    const counts = [run.log.connection, ...run.log.sessions].flatMap((group) => levels.map((l) => group.counts[l]));
    const counted = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(counted, run.log.store.query().length + run.log.store.dropped);
    assert.ok(counted >= 20_000);
  });
});

describe('an ending run', () => {
  const runs = TestRuns.ofSuite();

  it('reports the exit and settles open requests when the agent crashes in a turn', async () => {
    const run = await runs.start('crashesInTurn');
    const sessionId = await run.newSession();
    await assert.rejects(run.prompt(sessionId, 'go'));
    const { reason, terminatedBy, exitCode } = await ended(run);
    assert.deepEqual([reason, terminatedBy], ['error', 'agent']);
    assert.notEqual(exitCode, 0);
    assert.deepEqual(run.log.requests, []);
    assert.ok(linesOf(run).some((line) => line.startsWith('error turn: was never answered')));
  });

  itOnPosix('is terminated by the system when somebody else kills it', async () => {
    const run = await runs.start('diesBySignal').catch(() => undefined);
    const other = run ?? (await runs.start('asksPermission'));
    process.kill(other.pid!, 'SIGKILL');
    const { reason, terminatedBy, signal } = await ended(other);
    assert.deepEqual([reason, terminatedBy, signal], ['terminated', 'system', 'SIGKILL']);
  });

  it('ends by itself when stdin closes, without a signal', async () => {
    const run = await runs.start('slowToExit');
    const { reason, terminatedBy, exitCode, stderr } = await run.stop({ close: 5000, terminate: 1 });
    assert.deepEqual([reason, terminatedBy, exitCode], ['completed', 'client', 0]);
    assert.deepEqual(stderr, { head: 'saving…', truncated: false, totalLines: 1 });
    assert.ok(!linesOf(run).some((line) => line.includes('SIGTERM')));
  });

  it('kills an agent that ignores everything', async () => {
    const run = await runs.start('deafToSigterm');
    const { reason, signal } = await run.stop({ close: 50, terminate: 50 });
    assert.deepEqual([reason, isWindows ? undefined : signal], ['terminated', isWindows ? undefined : 'SIGKILL']);
    assert.equal(isAlive(run.pid!), false);
  });

  it("doesn't wait any longer when stopped twice", async () => {
    const run = await runs.start('deafToSigterm');
    const stopped = run.stop({ close: 60_000, terminate: 60_000 });
    void run.stop();
    await recordOf(run, ({ message }) => message.includes('SIGTERM'));
    void run.stop();
    assert.equal((await stopped).reason, 'terminated');
  });

  itUnless(isWine, 'Wine has no PowerShell')('leaves no child behind', async () => {
    const run = await runs.start('leavesChild');
    const { message, data } = await recordOf(run, ({ kind }) => kind === 'log');
    const pid = Number(/\d+/.exec(`${message} ${JSON.stringify(data ?? '')}`)?.[0]);
    assert.equal(isAlive(pid), true);
    await run.stop();
    await gone(pid);
  });

  it('reads the output before the end, even if the last line is unfinished', async () => {
    const run = await runs.start('noFinalNewline');
    assert.equal((await run.prompt(await run.newSession(), 'go')).stopReason, 'end_turn');
    await ended(run);
    assert.ok(linesOf(run, 'stderr').length > 0);
    assert.match(linesOf(run).at(-1) ?? '', /exited with code 0/);
  });

  itIfStdoutCloses('settles what is open, and ends the agent, when its standard output closes', async () => {
    const run = await runs.start('closesStdout', { client: { version: 1 } });
    await assert.rejects(run.newSession());
    await ended(run);
    assert.ok(linesOf(run).some((line) => line.startsWith('error closed its standard output')));
  });

  it('rejects further requests', async () => {
    const run = await runs.start('ignoresCancel');
    const sessionId = await run.newSession();
    const turn = run.prompt(sessionId, 'go');
    await run.cancel({ sessionId });
    assert.equal((await turn).stopReason, 'end_turn');
    await recordOf(run, ({ logger, message }) => logger === 'turn' && message.startsWith('ended'));
    await run.stop();
    await assert.rejects(run.newSession(), /isn't running/);
  });
});
