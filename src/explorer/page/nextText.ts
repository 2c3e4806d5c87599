import type { Translator } from '../../text/translator';
import type { NextWhat } from './messages';

/**
 * What to announce after a search for the next failure, or the next row of another session; empty if the row says it all.
 * @param number of the row among all that fit, from 1; 0 if there is none
 */
export function nextText(l10n: Translator, what: NextWhat, number: number, total: number): string {
  if (what === 'session') return number === 0 ? l10n.t('No record of another session') : '';
  return number === 0 ? l10n.t('No warnings or errors') : l10n.t('Failure {0} of {1}', number, total);
}
