import assert from 'node:assert/strict';
import { timeAxis } from '../../../../src/explorerPage/turns/timeAxis';
import { sortedBy, timesOf } from '../../../../src/explorerPage/turns/toolColumns';
import { turnLines, turnOrder } from '../../../../src/explorerPage/turns/turnTree';
import type { TurnSort } from '../../../../src/explorer/page/pageState';
import type { SpanRow } from '../../../../src/explorer/turns/turnMessages';

describe('turns: time axis', () => {
  it('draws a long idle gap short, and collapses nothing within 5 s of an error', () => {
    const { breaks } = timeAxis([row('a', 0, 1000), row('b', 3_600_000, 3_601_000)], 0);
    assert.deepEqual(breaks, [{ from: 1000, to: 3_600_000 }]);
    const failed = timeAxis([row('a', 0, 1000, 'error'), row('b', 3_600_000, 3_601_000, 'error')], 0);
    assert.deepEqual(failed.breaks, [{ from: 6000, to: 3_596_000 }]);
    assert.equal(failed.at(0), 0);
    assert.ok(failed.at(1000) < failed.at(3_600_000) && failed.at(3_601_000) > 0.999);
  });
});

describe('turns: zoom', () => {
  it('shows a stretch of time, and finds the time of each place', () => {
    const rows = [row('a', 0, 1000), row('b', 3_600_000, 3_601_000)];
    for (const axis of [timeAxis(rows, 0), timeAxis(rows, 0, { from: 500, to: 3_600_500 })]) {
      for (const time of [500, 1000, 2_000_000, 3_600_000, 3_600_500]) {
        assert.ok(Math.abs(axis.timeAt(axis.at(time)) - time) < 1, `${time}`);
      }
    }
    const zoomed = timeAxis(rows, 0, { from: 200, to: 700 });
    assert.deepEqual([zoomed.at(0), zoomed.at(450), zoomed.at(9000), zoomed.breaks], [0, 0.5, 1, []]);
  });
});

describe('turns: times by tool', () => {
  it('has calls, errors, total, median and p95 of each tool, and sorts by any of them', () => {
    const kind = 'tool' as const;
    const calls = Array.from({ length: 20 }, (_, n) => ({ ...row(`a${n}`, 0, n + 1), kind, tool: 'grep' }));
    const failed = { ...row('b', 0, 500, 'error'), kind, tool: 'bash' };
    const times = timesOf([...calls, failed, row('turn', 0, 9000)], 0);
    assert.deepEqual(sortedBy(times, 'total', false), [
      { tool: 'bash', calls: 1, errors: 1, total: 500, median: 500, p95: 500 },
      { tool: 'grep', calls: 20, errors: 0, total: 210, median: 10, p95: 19 },
    ]);
    for (const [column, isReversed, tools] of [
      ['calls', false, ['grep', 'bash']],
      ['tool', false, ['bash', 'grep']],
      ['tool', true, ['grep', 'bash']],
    ] as const) {
      const sorted = sortedBy(times, column, isReversed).map(({ tool }) => tool);
      assert.deepEqual(sorted, tools, column);
    }
  });
});

describe('turns: tree', () => {
  it('puts spans below their parent or session, and hides those of closed lines', () => {
    const rows = [row('a', 0, 9), { ...row('b', 1, 2), parent: 'a' }, { ...row('c', 3, 4), parent: 'gone' }];
    const shape = (closed: string[]): string =>
      turnLines(rows, new Set(closed))
        .map(({ key, level }) => `${level} ${key}`)
        .join(', ');
    assert.equal(shape([]), '1 session s, 2 a, 3 b, 2 c');
    assert.equal(shape(['a']), '1 session s, 2 a, 2 c');
  });
});

describe('turns: sorting', () => {
  const rows = [
    { ...row('a', 0, 100), used: 10, sessionKey: 's', session: 'S' },
    { ...row('b', 10, 30), parent: 'a' },
    { ...row('c', 40, 90), parent: 'a', used: 7 },
    { ...row('d', 200, 260), used: 30, sessionKey: 'r', session: 'R' },
  ];
  const order = (sort: TurnSort): string =>
    turnLines(rows, new Set(), turnOrder(sort, 300))
      .map(({ key }) => key)
      .join(' ');

  it('sorts the parts of each span, and sessions by their first span', () => {
    assert.equal(order({ by: 'took', direction: 'descending' }), 'session s a c b session r d');
    assert.equal(order({ by: 'took', direction: 'ascending' }), 'session r d session s a b c');
    assert.equal(order({ by: 'bars', direction: 'descending' }), 'session r d session s a c b');
    assert.equal(order({ by: 'name', direction: 'descending' }), 'session r d session s a c b');
  });

  it('has spans without tokens last in both directions', () => {
    assert.equal(order({ by: 'tokens', direction: 'descending' }), 'session r d session s a c b');
    assert.equal(order({ by: 'tokens', direction: 'ascending' }), 'session s a c b session r d');
  });
});

function row(id: string, start: number, end: number, outcome: SpanRow['outcome'] = 'ok'): SpanRow {
  const empty = { parent: '', tool: '', detail: '', tokens: '', usage: '', jump: '', summary: '', changes: '' };
  const texts = { ...empty, session: 'S', sessionKey: 's', title: id };
  return { id, ...texts, files: [], used: -1, kind: 'turn', start, end, outcome, firstSeq: 1, lastSeq: 2 };
}
