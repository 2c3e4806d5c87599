import type { JsonObject } from '../../../text/json';
import { isObject, objectOf, textOf } from '../../../text/json';

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

/** Larger schemas are read so far, and so many members of each of their objects and lists. */
const maxNodes = 10_000;

/** The schemas within a schema, the whole first. No rule reads more of them than is here. */
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

/** Without the rest of what has far too many members. */
function readSoFar(schema: JsonObject): JsonObject {
  const cut = ['properties', 'items', ...schemaLists, ...schemaMaps].flatMap((keyword) => {
    const first = firstOf(schema[keyword]);
    return first === undefined ? [] : [[keyword, first] as const];
  });
  return cut.length === 0 ? schema : { ...schema, ...Object.fromEntries(cut) };
}

/** The first members; `undefined` if there are no more than these. */
function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > maxNodes ? value.slice(0, maxNodes) : undefined;
  const names = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || names.length <= maxNodes) return undefined;
  return Object.fromEntries(names.slice(0, maxNodes).map((name) => [name, value[name]]));
}

/** What is where a schema has schemas, which may be anything. */
export function subschemas({ schema, path, level }: SchemaNode): readonly Subschema[] {
  const at = (keyword: SubschemaKeyword, value: unknown, own = path, deeper = 0): Subschema[] =>
    value === undefined ? [] : [{ value, path: own, level: level + deeper, keyword }];
  const { properties, items } = schema;
  return [
    ...entries(properties).flatMap(([name, value]) => at('properties', value, inPath(path, name), 1)),
    ...(Array.isArray(items) ? (items as unknown[]) : [items]).flatMap((item) => at('items', item, `${path}[]`)),
    ...single.flatMap((keyword) => at(keyword, schema[keyword])),
    ...schemaLists.flatMap((keyword) => listOf(schema[keyword]).flatMap((item) => at(keyword, item))),
    ...schemaMaps.flatMap((keyword) =>
      entries(schema[keyword]).flatMap(([name, value]) => at(keyword, value, inPath(path, `${keyword}.${name}`))),
    ),
  ];
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

export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The types that a schema names, known or not. */
export function typesOf({ type }: JsonObject): readonly string[] {
  return (Array.isArray(type) ? (type as unknown[]) : [type]).filter((one) => typeof one === 'string');
}
