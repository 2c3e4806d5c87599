const escape = /\\+(?:\/|u00(2[05-9a-fA-F]|3[0-9a-fA-F]|[4-7][0-9a-fA-F])|[^nrtbfu"'`\\/\s])/y;

/** In a query these end a value: `&`, `#`, and `<` and `>` as some write them into JSON. */
const queryEnd = new Set(['20', '26', '23', '3c', '3e']);

const endsList = /[,;](?=\s|$|["'\\]|[\w.-]{0,64}[=:])/y;

/**
 * Where a value without quotes ends: at white space, a quote, an escaped line break, a comma or a semicolon that something else
 * follows.
 * An escape is taken whole or not at all. Brackets and full stops at the end are not taken for a part of it: `end` is before them.
 * @param query whether it is a part of a URL, where `&` and `#` end it too
 */
export function bareEnd(text: string, from: number, query: boolean): { readonly at: number; readonly end: number } {
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 34 || code === 39 || code === 96 || code === 60 || code === 62) break;
    if (query && (code === 38 || code === 35)) break;
    if (code === 44 || code === 59) {
      endsList.lastIndex = i;
      if (endsList.test(text)) break;
    }
    if (code !== 92) continue;
    escape.lastIndex = i;
    const found = escape.exec(text);
    if (found === null || (found[1] !== undefined && queryEnd.has(found[1].toLowerCase()))) break;
    i = escape.lastIndex - 1;
  }
  let end = i;
  while (end > from && '.,:)]}|'.includes(text.charAt(end - 1))) end--;
  return { at: i, end };
}
