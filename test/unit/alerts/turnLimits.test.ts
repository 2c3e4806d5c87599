import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/text/translator';
import type { DayTotal } from '../../../src/alerts/dayCost';
import { DayCost } from '../../../src/alerts/dayCost';
import type { FinishedTurn, Limit } from '../../../src/alerts/turnLimits';
import { TurnLimit } from '../../../src/alerts/turnLimits';
import type { Usage } from '../../../src/work/activity';

const minute = 60_000;
const noon = new Date(2026, 10, 23, 12).getTime();

function turn(id: string, usage: Partial<Usage> = {}, minutes = 1): FinishedTurn {
  const took = { startedAt: noon, endedAt: noon + minutes * minute };
  return { id, sessionId: 's', ...took, usage: { basis: 'turn', ...usage } };
}

function check(limit: Limit): (turn: FinishedTurn) => string | undefined {
  const one = new TurnLimit(limit);
  return (ended) => {
    const reached = one.finished(ended, undefined);
    return reached && inEnglish(reached.what);
  };
}

describe('limits of turns', () => {
  it('are reached by the cost of one turn, and reported once for it', () => {
    const costPerTurn = check({ measure: 'costPerTurn', value: 2 });
    assert.equal(costPerTurn(turn('1', { costUsd: 1.99 })), undefined);
    assert.equal(costPerTurn(turn('2', { costUsd: 2.5 })), 'The turn cost $2.50, which reaches the limit of $2.00');
    assert.equal(costPerTurn(turn('2', { costUsd: 2.6 })), undefined);
    assert.notEqual(costPerTurn(turn('3', { costUsd: 2 })), undefined);
  });

  it('aren’t reached by the cost of a whole session', () => {
    const costPerTurn = check({ measure: 'costPerTurn', value: 2 });
    assert.equal(costPerTurn(turn('1', { costUsd: 9, basis: 'cumulative' })), undefined);
    assert.equal(costPerTurn({ id: '2', startedAt: noon, endedAt: noon + minute }), undefined);
  });

  it('are reached by a context, once until it has been compacted', () => {
    const context = check({ measure: 'context', value: 90 });
    const full = (tokens: number): string | undefined =>
      context(turn('1', { contextTokens: tokens, contextWindow: 200_000 }));
    assert.equal(full(179_999), undefined);
    assert.equal(full(190_000), 'The context is 95 % full (190000 of 200000 tokens)');
    assert.equal(full(195_000), undefined);
    assert.equal(full(60_000), undefined);
    assert.notEqual(full(180_000), undefined);
    assert.equal(context(turn('2', { contextTokens: 1e6 })), undefined);
    assert.equal(context(turn('2', { contextTokens: 1e6, contextWindow: 0 })), undefined);
  });

  it('are reached by a running turn when its time has come', () => {
    const limit = new TurnLimit({ measure: 'turnMinutes', value: 30 });
    const running = { id: '1', sessionId: '', startedAt: noon };
    assert.equal(limit.dueAt(running), noon + 30 * minute);
    assert.equal(limit.running(running, noon + 30 * minute - 1), undefined);
    const reached = limit.running(running, noon + 30 * minute);
    const what = 'The turn has been running for 30 min 0 s';
    assert.deepEqual(reached && [inEnglish(reached.what), reached.turn, reached.sessionId], [what, '1', undefined]);
    assert.equal(limit.running(running, noon + 60 * minute), undefined);
    assert.equal(limit.dueAt(running), Infinity);
    assert.equal(limit.finished(turn('1', {}, 90), undefined), undefined);
  });

  it('are reached by the day when its total gets there', () => {
    const limit = new TurnLimit({ measure: 'costPerDay', value: 5 });
    const cross = (before: number, after: number): string | undefined => {
      const reached = limit.finished(turn('1'), { before, after });
      return reached && inEnglish(reached.what);
    };
    assert.equal(cross(0, 4.9), undefined);
    assert.equal(cross(4.9, 5), "Today's turns cost $5.00, which reaches the limit of $5.00");
    assert.equal(cross(5, 6), undefined);
    assert.equal(limit.dueAt({ id: '1', sessionId: 's', startedAt: noon }), Infinity);
  });
});

describe('the cost of a day', () => {
  function memory(kept?: unknown): { get: () => unknown; set: (total: DayTotal) => void } {
    let value = kept;
    return { get: () => value, set: (total) => void (value = total) };
  }

  it('is kept over reloads, and starts over at midnight', () => {
    const kept = memory();
    assert.deepEqual(new DayCost(kept).add(2, noon, true), { before: 0, after: 2 });
    assert.deepEqual(new DayCost(kept).add(1, noon, true), { before: 2, after: 3 });
    const tomorrow = new DayCost(kept);
    const late = new Date(2026, 10, 24, 0, 1).getTime();
    assert.deepEqual(tomorrow.add(1, late, true), { before: 0, after: 1 });
    assert.equal(tomorrow.add(1, noon, true), undefined);
  });

  it('includes turns that other windows see, too, without keeping them', () => {
    const kept = memory();
    const day = new DayCost(kept);
    assert.deepEqual(day.add(2, noon, false), { before: 0, after: 2 });
    assert.deepEqual(day.add(3, noon, true), { before: 2, after: 5 });
    assert.deepEqual(kept.get(), { day: '2026-11-23', usd: 3 });
  });

  it('starts at 0 if what was kept is unreadable', () => {
    for (const kept of [null, 'x', { day: 1 }, { day: '2026-11-23', usd: '9' }]) {
      assert.deepEqual(new DayCost(memory(kept)).add(1, noon, true), { before: 0, after: 1 });
    }
  });
});
