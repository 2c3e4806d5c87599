import assert from 'node:assert/strict';

/** Runs work on a long run, which must let other work run in between. */
export async function withPauses<T>(work: () => Promise<T>): Promise<T> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return await work();
  } finally {
    isDone = true;
    assert.ok(turns > 3, `${turns} turns`);
  }
}
