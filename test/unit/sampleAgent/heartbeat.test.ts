import assert from 'node:assert/strict';
import { startHeartbeat } from '../../../src/sampleAgent/host';

describe('the sample agent: heartbeat', () => {
  it('counts beats and seconds until it is aborted', () => {
    let now = 0;
    let tick: (() => void) | undefined;
    const clock = {
      now: () => new Date(now),
      sleep: () => Promise.reject(new Error('not used')),
      yield: () => Promise.reject(new Error('not used')),
      every(ms: number, task: () => void, signal: AbortSignal) {
        assert.equal(ms, 10_000);
        tick = task;
        signal.addEventListener('abort', () => (tick = undefined));
      },
    };
    const beats: number[][] = [];
    const stop = new AbortController();
    startHeartbeat(clock, (...beat) => beats.push(beat), stop.signal);
    for (now = 10_000; now <= 30_000; now += 10_000) tick?.();
    stop.abort();
    assert.equal(tick, undefined);
    assert.deepEqual(beats, [
      [1, 10],
      [2, 20],
      [3, 30],
    ]);
  });
});
