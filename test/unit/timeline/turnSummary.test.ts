import assert from 'node:assert/strict';
import type { Span } from '../../../src/timeline/span';
import { partsByRoot, summarizeTurn } from '../../../src/timeline/turnSummary';

describe('turn summary', () => {
  it('splits the time of a turn into model, tools and user, counting parallel calls once', () => {
    const turn = { ...span('t', 'turn', 0, 100), retries: 2 };
    const parts = [
      { ...span('a', 'tool', 10, 50), parent: 't' },
      { ...span('b', 'tool', 30, 60), parent: 't', outcome: 'error' as const },
      { ...span('p', 'permission', 20, 30), parent: 'a' },
    ];
    assert.deepEqual(partsByRoot([turn, ...parts]).get('t'), parts);
    assert.deepEqual(summarizeTurn(turn, parts, 0), {
      took: 100,
      model: 50,
      tools: 40,
      waited: 10,
      retries: 2,
      calls: 2,
      failed: 1,
    });
  });
});

function span(id: string, kind: Span['kind'], startedAt: number, endedAt: number): Span {
  return { id, kind, title: id, startedAt, endedAt, outcome: 'ok', firstSeq: 1, lastSeq: 2 };
}
