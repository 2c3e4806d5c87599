/** How a text is encoded when it is sent. */
export interface Form {
  readonly name: string;
  readonly isPlain: boolean;
  /** How many times the text is nested in a JSON string. */
  readonly depth: number;
  /** Escapes the innermost JSON as some serializers do: the same value in other characters. */
  readonly escape: (json: string) => string;
}

function escapes(pattern: RegExp): Form['escape'] {
  return (json) => json.replace(pattern, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const same: Form['escape'] = (json) => json;
/** Gson escapes these unless told not to. */
const gson = escapes(/[=&<>']/g);
/** Everything that is legal in a string and common in names and secrets. */
const all = escapes(/[=&<>'\-_+@$%#!?~^]/g);

export const plain: Form = { name: 'plain', isPlain: true, depth: 0, escape: same };

export const escapedForms: readonly Form[] = [
  { name: 'Gson', isPlain: false, depth: 0, escape: gson },
  { name: '\\u002d \\u005f', isPlain: false, depth: 0, escape: all },
  { name: '\\/', isPlain: false, depth: 0, escape: (json) => json.replaceAll('/', '\\/') },
  { name: 'JSON in JSON', isPlain: false, depth: 1, escape: same },
  { name: 'JSON in JSON twice', isPlain: false, depth: 2, escape: same },
  { name: 'Gson in JSON', isPlain: false, depth: 1, escape: gson },
  { name: '\\u002d in JSON', isPlain: false, depth: 1, escape: all },
];

/** The encoded text, and the same as a JSON value. Data is JSON already. */
export function written(text: string, form: Form, isData: boolean): { readonly text: string; readonly json: string } {
  if (isData) return { text, json: form.escape(text) };
  let json = form.escape(JSON.stringify(text));
  let outer = text;
  for (let level = 0; level < form.depth; level++) {
    outer = `{"output":${json}}`;
    json = JSON.stringify(outer);
  }
  return { text: outer, json };
}
