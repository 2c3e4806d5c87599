const key = /[\w.@/-]+/y;

/** Reads `key=value key="quoted value"`, as written by Heroku and Go loggers; `undefined` for anything else. Values are strings. */
export function parseLogfmt(text: string): Record<string, string> | undefined {
  const fields: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    key.lastIndex = at;
    const name = key.exec(text)?.[0];
    if (name === undefined) return undefined;
    at += name.length;
    if (text[at] !== '=') return undefined;
    const [value, end] = text[at + 1] === '"' ? quoted(text, at + 1) : bare(text, at + 1);
    fields.push([name, value]);
    at = end;
    while (text[at] === ' ') at++;
  }
  // Object.fromEntries rather than assignment, because a field may be called __proto__.
  return Object.fromEntries(fields);
}

function bare(text: string, from: number): [string, number] {
  const end = text.indexOf(' ', from);
  return end < 0 ? [text.slice(from), text.length] : [text.slice(from, end), end];
}

function quoted(text: string, from: number): [string, number] {
  let end = from + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  const inside = text.slice(from + 1, end);
  return [
    inside.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char)),
    Math.min(end + 1, text.length),
  ];
}
