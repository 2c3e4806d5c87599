import assert from 'node:assert/strict';
import { english, inLocale, localized } from '../../../src/text/translator';

describe('numbers in texts', () => {
  it('have the decimal sign of the language', () => {
    const shown = (text: string): string => inLocale(text, 'de');
    assert.deepEqual(['2.5 s', '12.3k', '1.2 MB', '$0.12', '340 ms'].map(shown), [
      '2,5 s',
      '12,3k',
      '1,2 MB',
      '0,12 $',
      '340 ms',
    ]);
    assert.equal(inLocale('2.5 s', 'en'), '2.5 s');
  });

  it('are no versions, and no part of a longer text', () => {
    for (const text of ['1.2', '1.2.3', 'v1.2 s', 'took 2.5 s', '127.0 is k']) assert.equal(inLocale(text, 'de'), text);
  });

  it('are grouped if they are no codes', () => {
    const german = localized(english, 'de');
    assert.equal(german.t('{0} of {1} after {2}', 194125, 404, '1.5 s'), '194.125 of 404 after 1,5 s');
    assert.equal(german.t('failed ({0})', -32603), 'failed (-32603)');
  });

  it('may be moments, which are shown in local time', () => {
    const shown = inLocale('2026-11-20T10:00:00.000Z', 'de');
    assert.equal(shown, new Date('2026-11-20T10:00:00.000Z').toLocaleString('de'));
  });
});
