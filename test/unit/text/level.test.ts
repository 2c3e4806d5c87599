import assert from 'node:assert/strict';
import { isThreshold, levels, parseLevel, rankOf, reaches, severityOf, wantsMore } from '../../../src/text/level';

describe('level', () => {
  it('orders the eight levels of RFC 5424, and off above them', () => {
    assert.deepEqual(
      levels.map((level) => rankOf(level)),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
    for (const level of levels) assert.equal(reaches(level, 'off'), false);
    assert.equal(reaches('warning', 'warning'), true);
    assert.equal(reaches('notice', 'warning'), false);
  });

  it('are drawn in three ways', () => {
    assert.deepEqual(levels.map(severityOf), [
      ...['info', 'info', 'info', 'warning'],
      ...['error', 'error', 'error', 'error'],
    ]);
  });

  it('knows when more is wanted than was declared', () => {
    assert.equal(wantsMore('debug', 'info'), true);
    assert.equal(wantsMore('info', 'info'), false);
    assert.equal(wantsMore('emergency', 'off'), true);
  });

  it('reads other names for the levels, in any case', () => {
    assert.equal(parseLevel('WARN'), 'warning');
    assert.equal(parseLevel('fatal'), 'critical');
    assert.equal(parseLevel('err'), 'error');
    assert.equal(parseLevel('verbose'), undefined);
    assert.equal(parseLevel('__proto__'), undefined);
    assert.equal(parseLevel(3), undefined);
  });

  it('takes as a threshold only what is spelt exactly', () => {
    assert.equal(isThreshold('off'), true);
    assert.equal(isThreshold('warn'), false);
    assert.equal(isThreshold(undefined), false);
  });
});
