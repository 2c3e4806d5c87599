import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AttentionQueue, attentionVariables } from '../../../src/alerts/attentionCommand';
import { WaitAlarm } from '../../../src/alerts/waitAlarm';
import { ProcessLeader } from '../../../src/machine/processLeader';
import { runOnce } from '../../../src/machine/runOnce';
import type { SessionNow, StateChange } from '../../../src/past/saved/now/stateChanges';
import type { SessionState } from '../../../src/past/saved/now/sessionState';
import { keyOf } from '../../../src/past/saved/now/sessionState';
import { StateChanges } from '../../../src/past/saved/now/stateChanges';
import type { SavedSession } from '../../../src/past/saved/savedSession';
import { useFolder } from '../../support/tempFolder';

const session: SavedSession = { agent: 'claude', id: 's1', path: '/s1.jsonl', size: 1, modifiedAt: 1 };
const working: SessionState = { type: 'working', doing: { type: 'waiting-for-model', since: 1 } };

function waiting(since: number): SessionState {
  return { type: 'waiting', doing: { type: 'waiting-for-person', asking: 'permission', since } };
}

function known(about: Partial<SavedSession> = {}): Pick<SessionNow, 'key' | 'session' | 'agentName'> {
  const saved = { ...session, ...about };
  return { key: keyOf(saved), session: saved, agentName: 'Claude Code' };
}

function changeOf(
  states: StateChanges<SavedSession>,
  state: SessionState,
  about: Partial<SavedSession> = {},
): StateChange {
  const change = states.see(known(about), state, false);
  return typeof change === 'object' ? change : assert.fail(change);
}

describe('a session that waits', () => {
  const now = (state: SessionState): readonly SessionNow[] => {
    return [{ key: 'k', session, agentName: 'Claude Code', state, isUnread: false }];
  };

  it('is due once, however often its question changes, and again when it waits again', () => {
    const alarm = new WaitAlarm();
    const due = (state: SessionState, at: number): number => alarm.due(now(state), 30_000, at).length;
    assert.equal(due(waiting(1000), 2000), 0);
    assert.equal(alarm.nextAt(30_000), 31_000);
    assert.equal(due(waiting(1000), 31_000), 1);
    assert.equal(alarm.nextAt(30_000), Infinity);
    assert.equal(due(waiting(40_000), 90_000), 0, 'another time in its records');
    assert.equal(due(working, 91_000), 0);
    assert.equal(due(waiting(92_000), 93_000), 0);
    assert.equal(due(waiting(92_000), 130_000), 1);
  });

  it('is due although its records are from the future', () => {
    const alarm = new WaitAlarm();
    assert.equal(alarm.due(now(waiting(1e15)), 30_000, 1000).length, 0);
    assert.equal(alarm.due(now(waiting(1e15)), 30_000, 31_000).length, 1);
  });
});

describe('the program for changes of state', () => {
  const folder = useFolder();
  let time = 1e12;
  /** The states it ran for, and what ends the runs. */
  let ran: string[];
  let ends: (() => void)[];
  let states: StateChanges<SavedSession>;
  let queue: AttentionQueue;
  beforeEach(() => {
    [ran, ends, states] = [[], [], new StateChanges()];
    queue = new AttentionQueue(
      ({ session: { id }, state }) => {
        ran.push(`${id} ${state.type}`);
        return new Promise((resolve) => ends.push(resolve));
      },
      () => time,
    );
  });

  /** Ends all runs, one after another. */
  async function endAll(): Promise<void> {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
  }

  it('runs once for a state, and not for what was there before', () => {
    const first = states.see(known(), working, true);
    assert.ok(typeof first === 'object');
    queue.add(first);
    assert.deepEqual(ran, []);
    queue.add(changeOf(states, waiting(1)));
    for (let n = 2; n < 50; n++) assert.equal(states.see(known({ modifiedAt: n }), waiting(n), false), 'drawn');
    assert.deepEqual(ran, ['s1 waiting']);
  });

  it('runs for few at a time, and for the newest state of those that have to wait', async () => {
    for (const id of ['a', 'b', 'c', 'd']) queue.add(changeOf(states, working, { id }));
    queue.add(changeOf(states, waiting(1), { id: 'c' }));
    assert.deepEqual(ran, ['a working', 'b working']);
    await endAll();
    assert.deepEqual(ran, ['a working', 'b working', 'd working', 'c waiting']);
  });

  it('runs for one state of a session after another', async () => {
    for (const state of [working, waiting(1), working, waiting(2)]) queue.add(changeOf(states, state));
    queue.add(changeOf(states, working, { id: 'other' }));
    assert.deepEqual(ran, ['s1 working', 'other working']);
    await endAll();
    assert.deepEqual(ran, ['s1 working', 'other working', 's1 waiting']);
  });

  it('runs in the order of the changes, however long it takes to know who tells them', async () => {
    const changes = [working, waiting(1)].map((state, index) => changeOf(states, state, { id: `s${index}` }));
    let know!: (own: StateChange[]) => void;
    const first = queue.addOwn(() => new Promise((resolve) => (know = resolve)));
    const failed = queue.addOwn(() => Promise.reject(new Error('no leader')));
    const last = queue.addOwn(() => Promise.resolve([changes[1]!]));
    await new Promise(setImmediate);
    assert.deepEqual(ran, []);
    know([changes[0]!]);
    await Promise.all([first, failed, last]);
    assert.deepEqual(ran, ['s0 working', 's1 waiting']);
  });

  it('runs no more than twenty times in ten minutes for a session that changes all the time', async () => {
    for (let n = 0; n < 60; n++) {
      queue.add(changeOf(states, n % 2 === 0 ? working : waiting(n)));
      ends.shift()?.();
      await new Promise(setImmediate);
      time += 2000;
    }
    assert.equal(ran.length, 20);
    queue.add(changeOf(states, working, { id: 'other' }));
    assert.equal(ran.length, 21);
  });

  it('gets arguments from the setting only, and what it is about in its environment', async () => {
    const output = folder.in('out.json');
    const script = `require('fs').writeFileSync(process.argv[1], JSON.stringify([process.argv.slice(2), Object.entries(process.env).filter(([name]) => name.startsWith('AGENT_LOGS_') && name !== 'AGENT_LOGS_REAL')]))`;
    const title = '$(touch x)"; rm -rf ~ #\u0000\n--flag `id` SECRET';
    const hostile = { title, folder: '/home/dev/SECRET;x', id: '--eval' };
    const change = changeOf(new StateChanges<SavedSession>(), waiting(1), hostile);
    const variables = attentionVariables(change, (text) => text.replaceAll('SECRET', '[redacted]'));
    const command = [process.execPath, '-e', script, output, '$HOME', '%PATH%', '*'];
    await runOnce(command, variables, new AbortController().signal);
    const [args, env] = JSON.parse(readFileSync(output, 'utf8')) as [string[], [string, string][]];
    assert.deepEqual(args, ['$HOME', '%PATH%', '*']);
    const own = Object.fromEntries(env.filter(([name]) => name in variables));
    assert.deepEqual(own, variables);
    const names = ['AGENT', 'FOLDER', 'SESSION', 'STATE', 'TITLE'].map((name) => `AGENT_LOGS_${name}`);
    assert.deepEqual(Object.keys(own).sort(), names);
    assert.equal(own['AGENT_LOGS_STATE'], 'waiting');
    assert.equal(own['AGENT_LOGS_FOLDER'], '/home/dev/[redacted];x');
    assert.doesNotMatch(own['AGENT_LOGS_TITLE'], /[\u0000\n]|SECRET/);
  });

  it('that is missing is an error', async () => {
    await assert.rejects(runOnce(['/nowhere/program'], {}, new AbortController().signal), /ENOENT/);
  });

  it('is run by the window that was used last, or by another one when that is gone', async () => {
    const alive = new Set([1, 2]);
    const isAlive = ({ pid }: { readonly pid: number }): Promise<boolean> => Promise.resolve(alive.has(pid));
    const [first, second] = [1, 2].map((pid) => new ProcessLeader(folder.in('x', 'leader'), isAlive, pid));
    assert.ok(first && second);
    assert.deepEqual([await first.isLeader(), await second.isLeader()], [true, false]);
    await second.lead();
    assert.deepEqual([await first.isLeader(), await second.isLeader()], [false, true]);
    alive.delete(2);
    assert.equal(await first.isLeader(), true);
    await first.resign();
    alive.add(2);
    assert.equal(await second.isLeader(), true);
  });
});
