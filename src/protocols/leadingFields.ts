import { parsedJson, withoutByteOrderMark } from '../text/jsonText';
import type { JsonObject } from '../text/json';

/** A name and a plain value, after the opening brace or a comma. */
const field = /\s*[{,]\s*"([^"\\]{1,64})"\s*:\s*("(?:[^"\\]|\\.){0,256}"|-?\d{1,17}|true|false|null)(?=\s*[,}])/y;
/** Maximum number of fields before the first object. */
const maxFields = 50;

/** Parses a line of JSON, or the first fields of a line that was cut. `undefined` if it isn't JSON. */
export function valueOrFields(line: string): unknown {
  const text = withoutByteOrderMark(line);
  return parsedJson(text) ?? leadingFields(text);
}

/** The plain fields at the start of a truncated JSON object; `undefined` if it doesn't start like one. */
function leadingFields(text: string): JsonObject | undefined {
  if (!/^\s{0,100}\{\s{0,100}"/.test(text)) return undefined;
  const fields: [string, unknown][] = [];
  field.lastIndex = 0;
  for (let match = field.exec(text); match && fields.length < maxFields; match = field.exec(text)) {
    const [, name = '', value = ''] = match;
    fields.push([name, parsedJson(value)]);
  }
  return Object.fromEntries(fields);
}
