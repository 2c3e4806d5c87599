import { hintWords } from '../../log/query/hintWords';
import type { QueryHint } from '../../log/query/language';
import { errorIn } from '../../log/query/language';
import { oneLine } from '../../log/text';
import { RegexTooSlow } from '../../runs/explorer/regexWorker';
import { translate } from '../translate';
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
function hintText(hint: QueryHint): string | undefined {
  // A key without a value is still being typed.
  return hint.type === 'noValue' || hint.type === 'badRegex' ? undefined : translate(hintWords(hint));
}
