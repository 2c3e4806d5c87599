import assert from 'node:assert/strict';
import { timeAxis } from '../../../../src/explorerPage/turns/timeAxis';
import { turnLines } from '../../../../src/explorerPage/turns/turnTree';
import type { SpanRow } from '../../../../src/ui/explorer/messages';

describe('turns: time axis', () => {
  it('draws a long idle gap short, and collapses nothing within 5 s of an error', () => {
    assert.deepEqual(timeAxis([row('a', 0, 1000), row('b', 3_600_000, 3_601_000)], 0).breaks, [
      { from: 1000, to: 3_600_000 },
    ]);
    const failed = timeAxis([row('a', 0, 1000, 'error'), row('b', 3_600_000, 3_601_000, 'error')], 0);
    assert.deepEqual(failed.breaks, [{ from: 6000, to: 3_596_000 }]);
    assert.equal(failed.at(0), 0);
    assert.ok(failed.at(1000) < failed.at(3_600_000) && failed.at(3_601_000) > 0.999);
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

function row(id: string, start: number, end: number, outcome: SpanRow['outcome'] = 'ok'): SpanRow {
  const texts = { parent: '', session: 'S', sessionKey: 's', title: id, detail: '', tokens: '', summary: '' };
  return { id, ...texts, kind: 'turn', start, end, outcome, firstSeq: 1, lastSeq: 2 };
}
