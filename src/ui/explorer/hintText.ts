import * as vscode from 'vscode';
import type { QueryHint } from '../../log/query/language';
import { maxRegexLength } from '../../log/query/language';
import { oneLine } from '../../log/text';

/** A hint for the user. Invalid expressions are reported as errors instead. */
export function hintText({ type, key = '', value = '' }: QueryHint): string | undefined {
  const shown = oneLine(value, 60);
  switch (type) {
    case 'unknownKey':
      return vscode.l10n.t('‘{0}:’ isn’t a known key, so it is searched for as text.', oneLine(key, 30));
    case 'badValue':
      return vscode.l10n.t('‘{0}’ isn’t a valid value for ‘{1}:’, so it is searched for as text.', shown, key);
    case 'longRegex':
      return vscode.l10n.t('Regular expressions can have at most {0} characters.', maxRegexLength);
    case 'noValue': // It is still being typed.
    case 'badRegex':
      return undefined;
  }
}
