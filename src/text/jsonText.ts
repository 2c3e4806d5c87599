/** A value as JSON; `undefined` if it is nested too deeply: `JSON.parse` supports deeper values than `JSON.stringify`. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * A value from JSON as JSON, however deep it is nested.
 * @throws TypeError for a circular value, which can't come from JSON
 */
export function deepJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return withoutRecursion(value);
    throw error;
  }
}

/** Something to write: a value, or a text as it is. */
type Pending = { readonly value: unknown } | { readonly text: string };

function withoutRecursion(root: unknown): string {
  const written: string[] = [];
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) written.push(next.text);
    else if (next.value === undefined) written.push('null');
    else if (typeof next.value !== 'object' || next.value === null) written.push(JSON.stringify(next.value));
    // Not all at once: a list may have more items than a call has arguments.
    else for (const piece of piecesOf(next.value).reverse()) pending.push(piece);
  }
  return written.join('');
}

function piecesOf(container: object): Pending[] {
  if (Array.isArray(container)) {
    const items = container.flatMap((value: unknown, index): Pending[] => [
      { text: index === 0 ? '' : ',' },
      { value },
    ]);
    return [{ text: '[' }, ...items, { text: ']' }];
  }
  const members = Object.entries(container)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]: [string, unknown], index): Pending[] => [
      { text: `${index === 0 ? '' : ','}${JSON.stringify(name)}:` },
      { value },
    ]);
  return [{ text: '{' }, ...members, { text: '}' }];
}

/** A value as indented JSON, or on one line if it is nested so deeply that indenting would make it far longer. */
export function indentedJson(value: unknown): string | undefined {
  return isDeeper(value, maxIndented) ? jsonText(value) : JSON.stringify(value, null, 2);
}

/** Indenting grows with the square of the depth. */
export const maxIndented = 40;

export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The value of a JSON text; `undefined` if it isn't JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJson(text: string): boolean {
  return parsedJson(text) !== undefined;
}

const [backslash, colon] = [92, 58];

/** The end of the JSON string that a place is in: the next quote that isn't escaped, or the end of the text. */
export function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at);
  while (end >= 0 && isEscaped(text, end, at)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether a colon follows this place: a string that ends there is a name. */
export function isColonNext(text: string, at: number): boolean {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === colon;
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charCodeAt(at - slashes - 1) === backslash) slashes++;
  return slashes % 2 === 1;
}

const byteOrderMark = '\ufeff';

/**
 * Removes a byte order mark. Some programs on Windows write one at the beginning of their output, and `JSON.parse` rejects it (RFC 8259,
 * section 8.1).
 */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}
