import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { Cancelled, TimedOut, waitFor } from '../../../src/time/waiting';

const never = new Promise<string>(() => undefined);

describe('waiting', () => {
  afterEach(() => mock.timers.reset());

  it('returns the result, or the error', async () => {
    const { token } = new CancellationTokenSource();
    const options = { token, timeout: 1000, every: 1000, onWaiting: () => undefined };
    assert.equal(await waitFor(Promise.resolve('answer'), options), 'answer');
    await assert.rejects(waitFor(Promise.reject(new Error('refused')), options), /refused/);
  });

  it('says what it is waiting for, and times out', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const waited: number[] = [];
    const { token } = new CancellationTokenSource();
    const options = { token, timeout: 55, every: 10, onWaiting: (ms: number) => waited.push(ms) };
    const waiting = waitFor(never, options);
    mock.timers.tick(55);
    await assert.rejects(waiting, (error) => error instanceof TimedOut && error.ms === 55);
    assert.deepEqual(waited, [10, 20, 30, 40, 50]);
  });

  it('ends when the user cancels, before or while it waits', async () => {
    const source = new CancellationTokenSource();
    const options = { token: source.token, timeout: 60_000, every: 60_000, onWaiting: () => undefined };
    const waiting = waitFor(never, options);
    source.cancel();
    await assert.rejects(waiting, Cancelled);
    await assert.rejects(waitFor(never, options), Cancelled);
  });
});
