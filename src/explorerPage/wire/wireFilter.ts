import { queryTokens } from '../../log/query/queryTokens';

/** Whether a filter includes the given value of a key. */
export function hasTerm(text: string, key: string, value: string): boolean {
  return valuesOf(text, key).includes(value);
}

/** Adds a value of a key to the filter, or removes it. */
export function toggleTerm(text: string, key: string, value: string): string {
  const asked = valuesOf(text, key);
  const values = asked.includes(value) ? asked.filter((one) => one !== value) : [...asked, value];
  const rest = tokensOf(text, key).reduceRight(
    (left, { range }) => `${left.slice(0, range.start).trimEnd()} ${left.slice(range.end).trimStart()}`,
    text,
  );
  return `${rest.trim()} ${values.length === 0 ? '' : `${key}:${values.join(',')}`}`.trim();
}

function valuesOf(text: string, key: string): readonly string[] {
  return tokensOf(text, key).flatMap(({ body }) => (body.type === 'keyed' ? body.values : []));
}

/** The positive terms with this key. */
function tokensOf(text: string, key: string): ReturnType<typeof queryTokens> {
  return queryTokens(text).filter(({ negated, body }) => !negated && body.type === 'keyed' && body.key === key);
}
