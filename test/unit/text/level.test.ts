import assert from 'node:assert/strict';
import { isThreshold, levels, parseLevel, rankOf, reaches, severityOf, wantsMore } from '../../../src/text/level';

describe('level', () => {
  it('orders the eight levels of RFC 5424, and off above them', () => {
    assert.deepEqual(levels.map(rankOf), [0, 1, 2, 3, 4, 5, 6, 7]);
    for (const level of levels) assert.equal(reaches(level, 'off'), false);
    assert.deepEqual([reaches('warning', 'warning'), reaches('notice', 'warning')], [true, false]);
  });

  it('are drawn in three ways', () => {
    assert.equal(levels.map(severityOf).join(' '), 'info info info warning error error error error');
  });

  it('knows when more is wanted than was declared', () => {
    assert.ok(wantsMore('debug', 'info') && wantsMore('emergency', 'off') && !wantsMore('info', 'info'));
  });

  it('reads other names for the levels, in any case', () => {
    assert.deepEqual(['WARN', 'fatal', 'err'].map(parseLevel), ['warning', 'critical', 'error']);
    for (const other of ['verbose', '__proto__', 3]) assert.equal(parseLevel(other), undefined);
  });

  it('takes as a threshold only what is spelt exactly', () => {
    assert.deepEqual(['off', 'warn', undefined].map(isThreshold), [true, false, false]);
  });
});
