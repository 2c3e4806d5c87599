import type { Translator } from '../log/translator';
import { english } from '../log/translator';
import type { FailureClass } from './failures/failurePatterns';

/** The cause of a problem in two or three words, shown first in rows. */
export function causeOf(failure: FailureClass): string | undefined {
  return causeText(failure, english);
}

/** A cause in the display language. Exit codes and signals aren't translated. */
export function translatedCause(cause: string, l10n: Translator): string {
  const failure = failures.find((each) => causeText(each, english) === cause);
  return (failure && causeText(failure, l10n)) ?? cause;
}

const failures: readonly FailureClass[] = [
  'authentication',
  'rate-limit',
  'network',
  'unavailable',
  'missing-executable',
  'model',
  'context-length',
  'policy',
  'aborted',
];

function causeText(failure: FailureClass, l10n: Translator): string | undefined {
  switch (failure) {
    case 'authentication':
      return l10n.t('not logged in');
    case 'rate-limit':
      return l10n.t('rate limited');
    case 'network':
      return l10n.t('network error');
    case 'unavailable':
      return l10n.t('provider unavailable');
    case 'missing-executable':
      return l10n.t('program not found');
    case 'model':
      return l10n.t('model not available');
    case 'context-length':
      return l10n.t('context too long');
    case 'policy':
      return l10n.t('blocked by policy');
    case 'aborted':
      return l10n.t('aborted');
    case 'other':
      return undefined;
  }
}
