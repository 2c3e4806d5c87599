import * as vscode from 'vscode';
import type { QueryHint } from '../../log/query/language';
import { errorIn, maxRegexLength } from '../../log/query/language';
import { oneLine } from '../../log/text';
import { RegexTooSlow } from '../../runs/explorer/regexWorker';
import type { FilterText } from './messages';

const maxError = 200;

export function filterText(hints: readonly QueryHint[], error = ''): FilterText {
  return { hints: hints.flatMap((hint) => hintText(hint) ?? []), error: oneLine(error, maxError) };
}

/** Runs a query, unless its expression is invalid or turns out to be too slow. */
export async function tryQuery<Result>(
  query: { readonly hints: readonly QueryHint[] },
  find: () => Promise<Result>,
): Promise<{ readonly text: FilterText; readonly result?: Result }> {
  const error = errorIn(query);
  if (error !== undefined) return { text: filterText(query.hints, error) };
  try {
    return { text: filterText(query.hints), result: await find() };
  } catch (thrown) {
    if (!(thrown instanceof RegexTooSlow)) throw thrown;
    return { text: filterText(query.hints, thrown.message) };
  }
}

/** A hint for the user. Invalid expressions are reported as errors instead. */
function hintText({ type, key = '', value = '' }: QueryHint): string | undefined {
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
