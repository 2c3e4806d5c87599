import assert from 'node:assert/strict';
import { shownMeasure } from '../../../src/text/measure';
import { english, inEnglish, localized, mapArgs, t, translated, verbatim } from '../../../src/text/translator';

describe('numbers in texts', () => {
  const german = localized(english, 'de');

  for (const [measure, inText, inGerman] of [
    [{ ms: 2500 }, '2.5 s', '2,5 s'],
    [{ ms: 340 }, '340 ms', '340 ms'],
    [{ minutes: 20 }, '20 min', '20 min'],
    [{ minutes: 125 }, '2 h 5 min', '2 h 5 min'],
    [{ tokens: 12_340 }, '12.3k', '12,3k'],
    [{ bytes: 1_200_000 }, '1.2 MB', '1,2 MB'],
    [{ usd: 0.12 }, '$0.12', '0,12 $'],
  ] as const) {
    it(`have their unit and the decimal sign of the language: ${inText}`, () => {
      const words = t('after {0}', measure);
      assert.deepEqual([inEnglish(words), translated(words, german)], [`after ${inText}`, `after ${inGerman}`]);
      assert.equal(shownMeasure(measure, 'en'), inText);
    });
  }

  it('are none of an agent, which stay as they are', () => {
    assert.equal(translated(verbatim('2.5 s'), german), '2.5 s');
    const hidden = mapArgs(t('{0} after {1}', '2.5 s', { ms: 2500 }), () => '…');
    assert.equal(translated(hidden, german), '… after 2,5 s');
  });

  it('are grouped if they are no codes', () => {
    assert.equal(german.t('{0} of {1} after {2}', 194125, 404, { ms: 1500 }), '194.125 of 404 after 1,5 s');
    assert.equal(german.t('failed ({0})', -32603), 'failed (-32603)');
  });

  it('may be moments, which are shown in local time', () => {
    const at = Date.UTC(2026, 10, 20, 10);
    assert.equal(shownMeasure({ at }, 'de'), new Date(at).toLocaleString('de'));
    assert.equal(inEnglish(t('since {0}', { at })), 'since 2026-11-20T10:00:00.000Z');
    assert.equal(inEnglish(t('since {0}', { at: 1e300 })), 'since 1e+300');
  });
});
