import { hintWords } from '../../query/hintWords';
import type { QueryHint } from '../../query/language';
import { errorIn } from '../../query/language';
import { shownLine } from '../../text/text';
import { RegexTooSlow } from '../../store/regexRunner';
import type { Translator } from '../../text/translator';
import { translated } from '../../text/translator';
import type { FilterText } from './messages';

const maxError = 200;

export function filterText(hints: readonly QueryHint[], l10n: Translator, error = ''): FilterText {
  return { hints: hints.flatMap((hint) => hintText(hint, l10n) ?? []), error: shownLine(error, maxError) };
}

/** Runs a query, unless its expression is invalid or turns out to be too slow. */
export async function tryQuery<Result>(
  query: { readonly hints: readonly QueryHint[] },
  l10n: Translator,
  find: () => Promise<Result>,
): Promise<{ readonly text: FilterText; readonly result?: Result }> {
  const error = errorIn(query);
  if (error !== undefined) return { text: filterText(query.hints, l10n, error) };
  try {
    return { text: filterText(query.hints, l10n), result: await find() };
  } catch (thrown) {
    if (!(thrown instanceof RegexTooSlow)) throw thrown;
    return { text: filterText(query.hints, l10n, thrown.message) };
  }
}

/** A hint for the user. Invalid expressions are reported as errors instead. */
function hintText(hint: QueryHint, l10n: Translator): string | undefined {
  // A key without a value is still being typed.
  return hint.type === 'noValue' || hint.type === 'badRegex' ? undefined : translated(hintWords(hint), l10n);
}
