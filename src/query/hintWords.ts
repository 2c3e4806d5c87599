import { shownLine } from '../text/text';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { QueryHint } from './language';
import { maxRegexLength } from './language';

/** A hint for the user. */
export function hintWords({ type, key = '', value = '' }: QueryHint): Words {
  switch (type) {
    case 'unknownKey':
      return t('‘{0}:’ isn’t a known key, so it is searched for as text.', shownLine(key, 30));
    case 'badValue':
      return t('‘{0}’ isn’t a valid value for ‘{1}:’, so it is searched for as text.', shownLine(value, 60), key);
    case 'stray':
      return t('‘{0}’ is searched for as text. Write it like {1}.', shownLine(key, 60), shownLine(value, 60));
    case 'noValue':
      return t('‘{0}:’ has no value, so it is ignored.', key);
    case 'longRegex':
      return t('Regular expressions can have at most {0} characters.', maxRegexLength);
    case 'badRegex':
      return t('The regular expression is invalid: {0}.', shownLine(value, 200));
  }
}
