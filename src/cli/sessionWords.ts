/** The words that aren't negated terms of a filter, which look like options: `-outcome:completed`. */
export function withoutNegated(words: readonly string[]): string[] {
  return words.filter((word) => !isNegated(word));
}

/** The filter of sessions in a command line. @param positionals its arguments that aren't options, without the negated terms */
export function filterOf(positionals: readonly string[], words: readonly string[]): string {
  return [...positionals, ...words.filter(isNegated)].map(quoted).join(' ');
}

function isNegated(word: string): boolean {
  return /^-[a-z]+:/i.test(word);
}

/** A word of the shell as one term. */
function quoted(word: string): string {
  const [, key = '', value = ''] = /^(-?(?:[a-z]+:)?)(.*)$/is.exec(word) ?? [];
  return /\s/.test(value) && !value.includes('"') ? `${key}"${value}"` : word;
}
