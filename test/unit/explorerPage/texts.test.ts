import assert from 'node:assert/strict';
import { textsIn } from '../../../src/explorerPage/texts';

describe('texts of the page', () => {
  const { t, number } = textsIn('de', { '{0} new': '{0} neu', Record: 'Eintrag' });

  it('are those of the bundle, or else English', () => {
    assert.equal(t('Record'), 'Eintrag');
    assert.equal(t('Records over time'), 'Records over time');
  });

  it('have their arguments, and numbers as the language writes them', () => {
    assert.equal(t('{0} new', 12_345), '12.345 neu');
    assert.equal(t('{0} of {1}', 'a', 1000), 'a of 1.000');
    assert.equal(number(1234.5), '1.234,5');
  });
});
