import type { Words } from '../../text/translator';
import { inEnglish, t, verbatim } from '../../text/translator';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { isObject, textOf } from '../../text/json';

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
  readonly wanted: Words;
}

/** One error in a message. */
export interface Flaw {
  readonly what: Words;
  readonly advice: Words;
  /** Groups values that are wrong in the same way. */
  readonly key: string;
  readonly isEnum: boolean;
}

/** What is checked: the parameters of this name, or the response to a request. */
export type Subject = string | { readonly method: string };

/** The location of an invalid value, and what is wrong with it. */
interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly wanted: Words | string;
  readonly type: 'missing' | 'shape' | 'null' | 'enum';
}

interface Options {
  /** Whether optional fields may be null. */
  readonly allowsNull: boolean;
  readonly protocol: string;
}

/** Only the beginning of a list is checked: an agent that gets one entry wrong gets the first ones wrong. */
const maxEntries = 100;
const typeNames: Readonly<Record<Exclude<Simple, 'any'>, Words>> = {
  some: t('a value'),
  string: t('a string'),
  number: t('a number'),
  boolean: t('a boolean'),
  object: t('an object'),
  list: t('a list'),
};

/** Describes the errors in a message. */
export function flawsIn(subject: Subject, value: unknown, schema: Schema, options: Options): readonly Flaw[] {
  const places = [...check(value, schema, '', options)];
  if (places.length === 0) return [];
  const absent = places.filter(({ type }) => type === 'missing');
  const nulls = places.filter(({ type }) => type === 'null');
  return [
    ...listed(
      absent,
      (names) => t('{0} is missing {1}', placeIn(subject), names),
      t('{0} requires it; clients may drop the message.', options.protocol),
    ),
    ...listed(
      nulls,
      (names) => t('{0} has null in {1}', placeIn(subject), names),
      t('Leave out optional fields that have no value: clients may drop the message.'),
    ),
    ...places.filter(({ type }) => type === 'shape' || type === 'enum').map((place) => wrongValue(subject, place)),
  ];
}

function wrongValue(subject: Subject, { path, value, wanted, type }: Place): Flaw {
  const isEnum = type === 'enum';
  const place = placeIn(subject, path);
  const what = isEnum ? t('{0} has an unknown value', place) : t('{0} is {1}', place, kindOf(value));
  return {
    what: value === null ? what : t('{0}: {1}', what, boundedJson(value, 80)),
    advice: t('Expected {0}. Clients may drop the message.', wanted),
    key: inEnglish(what),
    isEnum,
  };
}

/** A field of the subject, or all of it. */
function placeIn(subject: Subject, path = ''): Words {
  if (typeof subject === 'string') return path === '' ? verbatim(`\`${subject}\``) : t('`{0}` of `{1}`', path, subject);
  const { method } = subject;
  return path === '' ? t('The response to `{0}`', method) : t('`{0}` of the response to `{1}`', path, method);
}

function listed(places: readonly Place[], what: (names: string) => Words, advice: Words): readonly Flaw[] {
  if (places.length === 0) return [];
  const text = what([...new Set(places.map(({ path }) => `\`${path}\``))].join(', '));
  return [{ what: text, advice, key: inEnglish(text), isEnum: false }];
}

function* check(value: unknown, schema: Schema, path: string, options: Options): Generator<Place> {
  if (typeof schema === 'string') {
    if (!isOf(schema, value)) yield { path, value, wanted: schema === 'any' ? '' : typeNames[schema], type: 'shape' };
  } else if (isList(schema)) yield* checkList(value, schema[0], path, options);
  else if ('enum' in schema) {
    if (!schema.enum.includes(textOf(value) ?? '')) yield { path, value, wanted: schema.enum.join(', '), type: 'enum' };
  } else if ('byType' in schema) yield* checkUnion(value, schema, path, options);
  else if (!isObject(value)) yield { path, value, wanted: typeNames.object, type: 'shape' };
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
    yield { path, value, wanted: typeNames.list, type: 'shape' };
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
function kindOf(value: unknown): Words | string {
  if (Array.isArray(value)) return typeNames.list;
  if (typeof value === 'string') return typeNames.string;
  if (typeof value === 'number') return typeNames.number;
  if (typeof value === 'boolean') return typeNames.boolean;
  return isObject(value) ? t('an object of another shape') : 'null';
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
  wanted: t('a content block such as {0}', '`{"type":"text","text":"…"}`'),
};

/** Sent to a client without the capability for it. */
export function notSupported(name: string, capability: string): Pick<Flaw, 'what' | 'advice' | 'key'> {
  const what = t("`{0}` was sent to a client that doesn't support it", name);
  return { what, advice: t('Check {0} first.', capability), key: name };
}
