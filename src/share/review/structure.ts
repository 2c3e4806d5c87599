import { isObject } from '../../text/json';
import { deepJson, parsedJson } from '../../text/jsonText';

/** Members of messages whose values are names and ids of a protocol, not content. */
const structural =
  /^(?:jsonrpc|method|type|subtype|role|sessionUpdate|status|state|kind|outcome|stopReason|stop_reason|level|severity|code|model|modelId|modeId|protocolVersion|version|timestamp|time|createdAt|updatedAt|created_at|service_tier|permissionMode|priority|id|uuid|[a-z][A-Za-z]{0,30}(?:Id|_id|_uuid|Uuid))$/;
const structuralValue = /^…?[\w./:$+-]{0,80}$/;
/** A name that a protocol may have given a member. Paths and texts are none. */
const memberName = /^[A-Za-z_$][\w$-]{0,40}$/;
const maxDepth = 50;

/** Whether a text in a message is a name or an id of its protocol. */
export function isStructural(value: string, field: string | undefined): boolean {
  return field !== undefined && structural.test(field) && structuralValue.test(value);
}

/** A line of JSON with its structure, numbers and ids, but without its texts; `undefined` if it isn't JSON. */
export function structureOf(line: string): string | undefined {
  const value = parsedJson(line);
  return typeof value === 'object' && value !== null ? deepJson(structure(value)) : undefined;
}

function structure(value: unknown, field?: string, depth = 0): unknown {
  if (typeof value === 'string') return isStructural(value, field) ? value : omitted('text', value.length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return omitted('value', deepJson(value).length);
  if (Array.isArray(value)) return value.map((item: unknown) => structure(item, field, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member], index) => [
      memberName.test(name) ? name : `(name ${index + 1})`,
      structure(member, name, depth + 1),
    ]),
  );
}

/** `left out: prompt of 1,204 characters`. Like the records of a run, it is in English. */
export function omitted(what: string, characters: number): string {
  return `left out: ${what} of ${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'}`;
}
