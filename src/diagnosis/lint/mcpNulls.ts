import type { JsonObject } from '../../protocols/json';
import { arrayOf, objectOf } from '../../protocols/json';
import { maxEntries } from './shapes';
import type { Violation } from './mcpShapes';

const advice = 'A field of which there is nothing to say is left out: a client may refuse the whole answer.';

/** Fields of answers that may be left out, and are of another type than null where they are there. */
const optional: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['instructions']],
  ['tools/list', ['nextCursor']],
  ['tools/call', ['isError']],
  ['resources/list', ['nextCursor']],
  ['resources/templates/list', ['nextCursor']],
  ['prompts/list', ['nextCursor']],
  ['prompts/get', ['description']],
]);
/** Those of the entries of their lists. */
const optionalInEntries: ReadonlyMap<string, readonly [list: string, fields: readonly string[]]> = new Map([
  ['tools/list', ['tools', ['title', 'description', 'annotations', 'outputSchema']]],
  ['resources/list', ['resources', ['title', 'description', 'mimeType', 'size', 'annotations']]],
  ['resources/templates/list', ['resourceTemplates', ['title', 'description', 'mimeType', 'annotations']]],
  ['resources/read', ['contents', ['mimeType']]],
  ['prompts/list', ['prompts', ['title', 'description', 'arguments']]],
]);
const inSchema = ['properties', 'required'];

/** Fields of an answer that are null where they have to be left out, which is how many languages write what is not there. */
export function nullsIn(method: string, name: string, result: JsonObject): readonly Violation[] {
  const [list = '', fields = []] = optionalInEntries.get(method) ?? [];
  const entries = arrayOf(result[list]).slice(0, maxEntries).map(objectOf);
  const schemas = method === 'tools/list' ? entries.map(({ inputSchema }) => objectOf(inputSchema)) : [];
  const names = [
    ...nullFields([result], optional.get(method) ?? []),
    ...nullFields(entries, fields).map((field) => `${list}[].${field}`),
    ...nullFields(schemas, inSchema).map((field) => `${list}[].inputSchema.${field}`),
  ];
  if (names.length === 0) return [];
  return [{ what: `${name} with null as ${names.map((field) => `\`${field}\``).join(', ')}`, advice }];
}

function nullFields(objects: readonly JsonObject[], fields: readonly string[]): readonly string[] {
  return fields.filter((field) => objects.some((object) => object[field] === null));
}
