const prefix = 'Ran into this error: ';

/** How goose words that a request to the model failed, in a message of the assistant. */
export function failureIn(text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const [error = '', advice] = text.slice(prefix.length, 3000).split(/\n[ \t]*Please retry/, 2);
  const said = advice === undefined ? error : error.trimEnd().replace(/\.$/, '');
  return said === '' ? undefined : said;
}
