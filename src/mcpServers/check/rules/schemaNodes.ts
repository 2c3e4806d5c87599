import type { JsonObject } from '../../../text/json';
import { isObject, textOf } from '../../../text/json';

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
const maxNodes = 10_000;

/** The schemas within a schema, the whole first. */
export function schemaNodes(schema: unknown): readonly SchemaNode[] {
  if (!isObject(schema)) return [];
  const nodes: SchemaNode[] = [{ schema, path: '', level: 0 }];
  for (const node of nodes) {
    for (const inner of within(node)) {
      if (nodes.length >= maxNodes) return nodes;
      nodes.push(inner);
    }
  }
  return nodes;
}

function within({ schema, path, level }: SchemaNode): readonly SchemaNode[] {
  const at = (value: unknown, own: string, deeper = 0): SchemaNode[] =>
    isObject(value) ? [{ schema: value, path: own, level: level + deeper }] : [];
  const { properties, items } = schema;
  return [
    ...entries(properties)
      .slice(0, maxNodes)
      .flatMap(([name, value]) => at(value, path === '' ? name : `${path}.${name}`, 1)),
    ...(Array.isArray(items) ? items : [items]).flatMap((item: unknown) => at(item, `${path}[]`)),
    ...single.flatMap((keyword) => at(schema[keyword], path)),
    ...several.flatMap((keyword) => listOf(schema[keyword]).flatMap((item) => at(item, path))),
    ...named.flatMap((keyword) => entries(schema[keyword]).flatMap(([, value]) => at(value, path))),
  ];
}

/** The references in a schema, and whether they lead to something in it. */
export function refsIn(root: unknown): readonly { readonly ref: string; readonly leads: boolean }[] {
  const nodes = schemaNodes(root);
  const anchors = new Set(
    nodes.flatMap(({ schema }) => {
      const [id, anchor] = [textOf(schema['$id']), textOf(schema['$anchor'])];
      return [...(id === undefined ? [] : [id]), ...(anchor === undefined ? [] : [`#${anchor}`])];
    }),
  );
  return nodes.flatMap(({ schema }) => {
    const ref = textOf(schema['$ref']);
    if (ref === undefined) return [];
    return [{ ref, leads: ref === '#' || anchors.has(ref) || (ref.startsWith('#/') && leads(ref, root)) }];
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
  return isObject(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
