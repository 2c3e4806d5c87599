import type { Words } from '../../log/translator';
import { l10n } from '../../log/translator';
import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { isObject, textOf } from '../../protocols/json';

/** `some`: anything but null. */
type Simple = 'any' | 'some' | 'string' | 'number' | 'boolean' | 'object' | 'list';

/** The expected shape of a value. Fields and kinds that a table doesn't list aren't checked. */
export type Schema =
  | Simple
  /** One of these strings. */
  | { readonly enum: readonly string[] }
  /** A list of these. */
  | readonly [Schema]
  | Fields
  | Union;

/** An object with these fields. A name that ends in `?` is optional. */
export interface Fields {
  readonly fields: Readonly<Record<string, Schema>>;
  /** At least one of these fields is required. */
  readonly anyOf?: readonly string[];
}

/** An object whose `type` determines its fields. */
export interface Union {
  readonly byType: Readonly<Record<string, Fields>>;
  /** Types that aren't valid here. */
  readonly never?: readonly string[];
  readonly wanted: string;
}

/** One error in a message. */
export interface Flaw {
  readonly what: string;
  readonly advice: Words;
  /** Groups values that are wrong in the same way. */
  readonly key: string;
  readonly isEnum: boolean;
}

/** The location of an invalid value, and what is wrong with it. */
interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly wanted: string;
  readonly type: 'missing' | 'shape' | 'null' | 'enum';
}

interface Options {
  /** Whether optional fields may be null. */
  readonly allowsNull: boolean;
  readonly protocol: string;
}

/** Only the beginning of a list is checked: an agent that gets one entry wrong gets the first ones wrong. */
const maxEntries = 100;
const articles: Readonly<Record<Exclude<Simple, 'any'>, string>> = {
  some: 'a value',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  list: 'a list',
};

/**
 * Describes the errors in a message.
 * @param name how the text names the message, such as `` `plan` ``
 */
export function flawsIn(name: string, value: unknown, schema: Schema, options: Options): readonly Flaw[] {
  const places = [...check(value, schema, '', options)];
  if (places.length === 0) return [];
  const absent = places.filter(({ type }) => type === 'missing');
  const nulls = places.filter(({ type }) => type === 'null');
  return [
    ...listed(
      absent,
      (names) => `${name} is missing ${names}`,
      l10n.t('{0} requires it; clients may drop the message.', options.protocol),
    ),
    ...listed(
      nulls,
      (names) => `${name} has null in ${names}`,
      l10n.t('Leave out optional fields that have no value: clients may drop the message.'),
    ),
    ...places.filter(({ type }) => type === 'shape' || type === 'enum').map((place) => wrongValue(name, place)),
  ];
}

function wrongValue(name: string, { path, value, wanted, type }: Place): Flaw {
  const isEnum = type === 'enum';
  const place = path === '' ? name : `\`${path}\` of ${name}`;
  const what = isEnum ? `${place} has an unknown value` : `${place} is ${kindOf(value)}`;
  const shown = value === null ? '' : `: ${boundedJson(value, 80)}`;
  return {
    what: `${what}${shown}`,
    advice: l10n.t('Expected {0}. Clients may drop the message.', wanted),
    key: what,
    isEnum,
  };
}

function listed(places: readonly Place[], what: (names: string) => string, advice: Words): readonly Flaw[] {
  if (places.length === 0) return [];
  const text = what([...new Set(places.map(({ path }) => `\`${path}\``))].join(', '));
  return [{ what: text, advice, key: text, isEnum: false }];
}

function* check(value: unknown, schema: Schema, path: string, options: Options): Generator<Place> {
  if (typeof schema === 'string') {
    if (!isOf(schema, value)) yield { path, value, wanted: schema === 'any' ? '' : articles[schema], type: 'shape' };
  } else if (isList(schema)) yield* checkList(value, schema[0], path, options);
  else if ('enum' in schema) {
    if (!schema.enum.includes(textOf(value) ?? '')) yield { path, value, wanted: schema.enum.join(', '), type: 'enum' };
  } else if ('byType' in schema) yield* checkUnion(value, schema, path, options);
  else if (!isObject(value)) yield { path, value, wanted: articles.object, type: 'shape' };
  else yield* checkFields(value, schema, path, options);
}

function* checkFields(value: JsonObject, { fields, anyOf }: Fields, path: string, options: Options): Generator<Place> {
  if (anyOf && !anyOf.some((field) => typeof value[field] === 'string')) {
    yield { path: anyOf.map((field) => `${path}.${field}`).join('` or `'), value, wanted: '', type: 'missing' };
  }
  for (const [name, schema] of Object.entries(fields)) {
    const isOptional = name.endsWith('?');
    const field = isOptional ? name.slice(0, -1) : name;
    const here = path === '' ? field : `${path}.${field}`;
    const found = value[field];
    if (found === undefined || (found === null && schema === 'some')) {
      if (!isOptional) yield { path: here, value: found, wanted: '', type: 'missing' };
    } else if (found === null && isOptional) {
      if (!options.allowsNull) yield { path: here, value: found, wanted: '', type: 'null' };
    } else yield* check(found, schema, here, options);
  }
}

/** Reports only the first of several entries that are wrong in the same way. */
function* checkList(value: unknown, schema: Schema, path: string, options: Options): Generator<Place> {
  if (!Array.isArray(value)) {
    yield { path, value, wanted: articles.list, type: 'shape' };
    return;
  }
  const seen = new Set<string>();
  for (const entry of value.slice(0, maxEntries)) {
    for (const place of check(entry, schema, `${path}[]`, options)) {
      const key = `${place.type} ${place.path}`;
      if (!seen.has(key)) yield place;
      seen.add(key);
    }
  }
}

function* checkUnion(
  value: unknown,
  { byType, never, wanted }: Union,
  path: string,
  options: Options,
): Generator<Place> {
  const type = isObject(value) ? textOf(value['type']) : undefined;
  const fields = type === undefined ? undefined : byType[type];
  if (type === undefined || never?.includes(type) === true) yield { path, value, wanted, type: 'shape' };
  else if (fields && isObject(value)) yield* checkFields(value, fields, path, options);
}

function isOf(schema: Simple, value: unknown): boolean {
  switch (schema) {
    case 'any':
      return true;
    case 'some':
      return value !== null;
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    default:
      return typeof value === schema;
  }
}

function isList(schema: Schema): schema is readonly [Schema] {
  return Array.isArray(schema);
}

/** The kind of a JSON value, in words. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return Array.isArray(value)
    ? 'a list'
    : typeof value === 'object'
      ? 'an object of another shape'
      : `a ${typeof value}`;
}

/** Message content, which is the same in ACP and MCP. */
export const contentBlock: Union = {
  byType: {
    text: { fields: { text: 'string' } },
    image: { fields: { data: 'string', mimeType: 'string' } },
    audio: { fields: { data: 'string', mimeType: 'string' } },
    resource_link: { fields: { uri: 'string', name: 'string' } },
    resource: { fields: { resource: { fields: { uri: 'string' }, anyOf: ['text', 'blob'] } } },
  },
  wanted: 'a content block such as `{"type":"text","text":"…"}`',
};

/** Capitalizes the first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
