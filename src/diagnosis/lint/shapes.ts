import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { isObject, textOf } from '../../protocols/json';

/** What a field has to be, as far as it is looked at. */
export type Shape = 'any' | 'string' | 'number' | 'object' | 'list' | 'block';

/** Fields and what they have to be. */
export type Shapes = readonly (readonly [field: string, shape: Shape])[];

/** A message of another shape than its protocol has. */
export interface Misshape {
  readonly what: string;
  /** What the protocol wants there. */
  readonly wanted: string;
  /** The same for every value that is wrong in the same way. */
  readonly key: string;
}

const example = '`{"type":"text","text":"…"}`';
const wanted: Readonly<Record<Exclude<Shape, 'any'>, string>> = {
  string: 'a string',
  number: 'a number',
  object: 'an object, which may be empty',
  list: 'a list',
  block: `one content block, as ${example}`,
};

/** So much of a list is looked at: who writes one entry wrong writes the first ones wrong. */
export const maxEntries = 100;

/** The fields that are there, and have another shape. Kinds of content that nobody knows yet are left alone. */
export function misshapen(name: string, fields: JsonObject, shapes: Shapes): Misshape[] {
  const found: Misshape[] = [];
  for (const [field, shape] of shapes) {
    const value = fields[field];
    if (shape === 'any' || value === undefined) continue;
    const flaw = flawOf(value, shape);
    if (flaw !== undefined) found.push(misshape(name, field, value, wanted[shape], flaw));
  }
  return found;
}

/** The first in a list of content blocks that is none, or that there is no list. */
export function misshapenContent(name: string, content: unknown): Misshape[] {
  const list = `a list of content blocks, as ${example}`;
  if (!Array.isArray(content)) return [misshape(name, 'content', content, list)];
  for (const block of content.slice(0, maxEntries)) {
    const flaw = blockFlaw(block);
    if (flaw !== undefined) return [misshape(name, 'content[]', block, list, flaw)];
  }
  return [];
}

/** @param flaw what the value is, in words */
export function misshape(name: string, field: string, value: unknown, want: string, flaw = kindOf(value)): Misshape {
  return {
    what: `${name} whose \`${field}\` is ${flaw}${valueIn(value)}`,
    wanted: want,
    key: `${name} ${field} ${flaw}`,
  };
}

/** The value itself, behind what it is, where that does not tell it. */
export function valueIn(value: unknown): string {
  return value === undefined || value === null ? '' : `: ${boundedJson(value, 80)}`;
}

/** What a JSON value is, in words. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function flawOf(value: unknown, shape: Exclude<Shape, 'any'>): string | undefined {
  switch (shape) {
    case 'string':
      return typeof value === 'string' ? undefined : kindOf(value);
    case 'number':
      return typeof value === 'number' ? undefined : kindOf(value);
    case 'object':
      return isObject(value) ? undefined : kindOf(value);
    case 'list':
      return Array.isArray(value) ? undefined : kindOf(value);
    case 'block':
      return blockFlaw(value);
  }
}

/** What texts a block of a kind has to have; those of kinds that nobody knows yet are their own affair. */
const textsOfBlocks: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
]);

/** Why a value is no content block, of a kind that is known; ACP has those of MCP. */
export function blockFlaw(block: unknown): string | undefined {
  if (!isObject(block)) return kindOf(block);
  const type = textOf(block['type']);
  if (type === undefined) return 'a block without a `type`';
  if (type === 'resource') return resourceFlaw(block['resource']);
  const missing = textsOfBlocks.get(type)?.find((field) => typeof block[field] !== 'string');
  return missing === undefined
    ? undefined
    : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type} block whose \`${missing}\` is no string`;
}

function resourceFlaw(resource: unknown): string | undefined {
  const { uri, text, blob } = isObject(resource) ? resource : {};
  if (typeof uri !== 'string') return 'a resource block without the `uri` of its `resource`';
  const hasContent = typeof text === 'string' || typeof blob === 'string';
  return hasContent ? undefined : 'a resource block without the `text` or `blob` of its `resource`';
}
