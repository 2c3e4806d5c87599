import assert from 'node:assert/strict';
import { madeSpan as span } from '../../support/madeSpan';
import { partsByTurn, spentText, summarizeTurn, summaryText, timesText } from '../../../src/timeline/turnSummary';
import type { TurnSummary } from '../../../src/timeline/turnSummary';

describe('turn summary', () => {
  it('splits the time of a turn into model, tools and user, counting parallel calls once', () => {
    const turn = { ...span('t', 'turn', 0, 100), retries: 2 };
    const parts = [
      { ...span('a', 'tool', 10, 50), parent: 't' },
      { ...span('b', 'tool', 30, 60), parent: 't', outcome: 'error' as const },
      { ...span('c', 'tool', 40, 60), parent: 't', outcome: 'unanswered' as const },
      { ...span('p', 'permission', 20, 30), parent: 'a' },
    ];
    assert.deepEqual(partsByTurn([turn, ...parts]).get('t'), parts);
    const times = { took: 100, model: 50, tools: 40, waited: 10 };
    assert.deepEqual(summarizeTurn(turn, parts, 0), { ...times, retries: 2, calls: 3, failed: 2 });
  });

  it("gives a subagent's turn its own parts, and the outer turn all of them", () => {
    const spans = [
      span('outer', 'turn', 0, 100),
      { ...span('agent', 'subagent', 10, 90), parent: 'outer' },
      { ...span('inner', 'turn', 20, 80), parent: 'agent' },
      { ...span('call', 'tool', 30, 50), parent: 'inner' },
      { ...span('orphan', 'tool', 30, 50), parent: 'evicted' },
    ];
    const parts = partsByTurn(spans);
    const idsOf = (id: string): readonly string[] | undefined => parts.get(id)?.map((part) => part.id);
    assert.deepEqual([idsOf('outer'), idsOf('inner')], [['agent', 'inner', 'call'], ['call']]);
    assert.equal(parts.has('call'), false);
  });

  it('is written with the times first, and leaves out what there was none of', () => {
    const plain = { took: 42_000, model: 42_000, tools: 0, waited: 0, retries: 0, calls: 0, failed: 0 };
    const text = (more: Partial<TurnSummary>): string => summaryText({ ...plain, ...more });
    assert.equal(text({}), '42 s: model 42 s');
    const usage = { inputTokens: 12_300, outputTokens: 1_100, basis: 'turn' } as const;
    const full = { model: 31_000, tools: 9000, waited: 2000, retries: 2, calls: 3, failed: 1, usage };
    assert.equal(
      text(full),
      '42 s: model 31 s (2 retries), tools 9.0 s, waited for you 2.0 s · 3 tool calls, 1 failed · 12.3k in, 1.1k out',
    );
    assert.equal(text({ retries: 1, calls: 1 }), '42 s: model 42 s (1 retry) · 1 tool call');
    assert.equal(text({ usage: { basis: 'turn' } }), '42 s: model 42 s');
    assert.equal(spentText({ ...plain, ...full }), text(full).slice('42 s: '.length));
    assert.equal(timesText({ ...plain, usage }), '42 s: model 42 s');
  });
});
