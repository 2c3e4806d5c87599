import type { Words } from '../log/translator';
import { t } from '../log/translator';
import type { FailureClass } from './failures/failurePatterns';

export const cutShort = t('cut short');
export const unsupported = t('unsupported version');

/** The cause of a problem in two or three words, shown first in rows. */
export function causeOf(failure: FailureClass): Words | undefined {
  switch (failure) {
    case 'authentication':
      return t('not logged in');
    case 'rate-limit':
      return t('rate limited');
    case 'network':
      return t('network error');
    case 'unavailable':
      return t('provider unavailable');
    case 'missing-executable':
      return t('program not found');
    case 'model':
      return t('model not available');
    case 'context-length':
      return t('context too long');
    case 'policy':
      return t('blocked by policy');
    case 'aborted':
      return t('aborted');
    case 'other':
      return undefined;
  }
}
