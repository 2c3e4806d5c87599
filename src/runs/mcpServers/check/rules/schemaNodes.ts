import type { JsonObject } from '../../../../log/json';
import { isObject } from '../../../../log/json';

/** A schema within a schema. */
export interface SchemaNode {
  readonly schema: JsonObject;
  /** Where it is, such as `filter.tags[]`; empty for the whole. */
  readonly path: string;
  /** How many objects it is in. */
  readonly level: number;
}

/** Keywords whose value is a schema. */
const single = ['additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const;
/** Keywords whose value is a list of schemas. */
const several = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
/** Keywords whose value is an object of schemas that aren't properties. */
const named = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'] as const;
/** Larger schemas are read so far. */
const maxNodes = 20_000;

/** The schemas within a schema, the whole first. */
export function schemaNodes(schema: unknown): readonly SchemaNode[] {
  if (!isObject(schema)) return [];
  const nodes: SchemaNode[] = [{ schema, path: '', level: 0 }];
  for (const node of nodes) {
    if (nodes.length >= maxNodes) break;
    nodes.push(...within(node));
  }
  return nodes;
}

function within({ schema, path, level }: SchemaNode): readonly SchemaNode[] {
  const at = (value: unknown, own: string, deeper = 0): SchemaNode[] =>
    isObject(value) ? [{ schema: value, path: own, level: level + deeper }] : [];
  const { properties, items } = schema;
  return [
    ...entries(properties).flatMap(([name, value]) => at(value, path === '' ? name : `${path}.${name}`, 1)),
    ...(Array.isArray(items) ? items : [items]).flatMap((item: unknown) => at(item, `${path}[]`)),
    ...single.flatMap((keyword) => at(schema[keyword], path)),
    ...several.flatMap((keyword) => listOf(schema[keyword]).flatMap((item) => at(item, path))),
    ...named.flatMap((keyword) => entries(schema[keyword]).flatMap(([, value]) => at(value, path))),
  ];
}

/** Whether a reference leads to something in the same schema. */
export function resolves(ref: string, root: JsonObject): boolean {
  if (ref === '#') return true;
  if (!ref.startsWith('#/')) return hasAnchor(ref, root);
  let value: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as unknown[])[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return false;
  }
  return value !== undefined;
}

function hasAnchor(ref: string, root: JsonObject): boolean {
  return schemaNodes(root).some(({ schema }) => schema['$id'] === ref || `#${String(schema['$anchor'])}` === ref);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
