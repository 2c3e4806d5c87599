import type { JsonObject } from '../../../text/json';
import { isObject, textOf } from '../../../text/json';

/** A schema within a schema. */
export interface SchemaNode {
  readonly schema: JsonObject;
  /** Where it is, such as `filter.tags[]`; empty for the whole. */
  readonly path: string;
  /** How many objects it is in. */
  readonly level: number;
  /** The keyword that it is the value of, or an entry of; absent for the whole. */
  readonly keyword?: SubschemaKeyword;
}

/** What is where a schema should be. */
export interface Subschema extends Omit<SchemaNode, 'schema'> {
  readonly value: unknown;
  readonly keyword: SubschemaKeyword;
}

/** Keywords whose value is a schema. */
const single = [
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'contentSchema',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
] as const;
/** Keywords whose value is a list of schemas. */
export const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
/** Keywords whose value is an object of schemas that aren't properties. */
export const schemaMaps = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'] as const;

type SubschemaKeyword =
  'properties' | 'items' | (typeof single)[number] | (typeof schemaLists)[number] | (typeof schemaMaps)[number];

/** Larger schemas are read so far. */
const maxNodes = 10_000;

/** The schemas within a schema, the whole first. */
export function schemaNodes(schema: unknown): readonly SchemaNode[] {
  if (!isObject(schema)) return [];
  const nodes: SchemaNode[] = [{ schema: readSoFar(schema), path: '', level: 0 }];
  for (const node of nodes) {
    for (const { value, ...place } of subschemas(node)) {
      if (nodes.length >= maxNodes) return nodes;
      if (isObject(value)) nodes.push({ ...place, schema: readSoFar(value) });
    }
  }
  return nodes;
}

/** Without the rest of what has far too many members, so that no rule reads all of them. */
function readSoFar(schema: JsonObject): JsonObject {
  const large = ['properties', ...schemaMaps].filter((keyword) => isLarge(schema[keyword]));
  if (large.length === 0) return schema;
  return {
    ...schema,
    ...Object.fromEntries(large.map((keyword) => [keyword, Object.fromEntries(entries(schema[keyword]))])),
  };
}

function isLarge(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > maxNodes;
}

/** What is where a schema has schemas, which may be anything. */
export function subschemas({ schema, path, level }: SchemaNode): readonly Subschema[] {
  const at = (keyword: SubschemaKeyword, value: unknown, own = path, deeper = 0): Subschema[] =>
    value === undefined ? [] : [{ value, path: own, level: level + deeper, keyword }];
  const { properties, items } = schema;
  return [
    ...entries(properties).flatMap(([name, value]) => at('properties', value, inPath(path, name), 1)),
    ...(Array.isArray(items) ? first(items) : [items]).flatMap((item) => at('items', item, `${path}[]`)),
    ...single.flatMap((keyword) => at(keyword, schema[keyword])),
    ...schemaLists.flatMap((keyword) => first(listOf(schema[keyword])).flatMap((item) => at(keyword, item))),
    ...schemaMaps.flatMap((keyword) =>
      entries(schema[keyword]).flatMap(([name, value]) => at(keyword, value, inPath(path, `${keyword}.${name}`))),
    ),
  ];
}

function first<T>(values: readonly T[]): readonly T[] {
  return values.length > maxNodes ? values.slice(0, maxNodes) : values;
}

function inPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The references in a schema, and whether they lead to something in it. */
export function refsIn(
  root: unknown,
  nodes: readonly SchemaNode[],
): readonly { readonly ref: string; readonly leads: boolean; readonly path: string }[] {
  const anchors = new Set(
    nodes.flatMap(({ schema }) => {
      const [id, anchor] = [textOf(schema['$id']), textOf(schema['$anchor'])];
      return [...(id === undefined ? [] : [id]), ...(anchor === undefined ? [] : [`#${anchor}`])];
    }),
  );
  return nodes.flatMap(({ schema, path }) => {
    const ref = textOf(schema['$ref']);
    if (ref === undefined) return [];
    return [{ ref, path, leads: ref === '#' || anchors.has(ref) || (ref.startsWith('#/') && leads(ref, root)) }];
  });
}

function leads(ref: string, root: unknown): boolean {
  let value = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as unknown[])[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return false;
  }
  return value !== undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The members of an object; of one that is far too large, only the first. */
export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  const found: (readonly [string, unknown])[] = [];
  if (!isObject(value)) return found;
  for (const name in value) {
    if (found.length >= maxNodes) break;
    if (Object.hasOwn(value, name)) found.push([name, value[name]]);
  }
  return found;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The types that a schema names, known or not. */
export function typesOf({ type }: JsonObject): readonly string[] {
  return (Array.isArray(type) ? (type as unknown[]) : [type]).filter((one) => typeof one === 'string');
}
