import { isObject } from '../../../text/json';
import type { SchemaNode } from './schemaNodes';
import { schemaLists, schemaMaps, subschemas } from './schemaNodes';

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isFlag: Check = (value) => typeof value === 'boolean';
const isText: Check = (value) => typeof value === 'string';
const areTexts: Check = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isSchema: Check = (value) => isObject(value) || isFlag(value);

function each(keywords: readonly string[], check: Check): readonly (readonly [string, Check])[] {
  return keywords.map((keyword) => [keyword, check] as const);
}

/** What JSON Schema 2020-12 demands of the value of a keyword. */
const checks: readonly (readonly [string, Check])[] = [
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], isNumber),
  ...each(['multipleOf'], (value) => isNumber(value) && (value as number) > 0),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'], isCount),
  ...each(['minProperties', 'maxProperties'], isCount),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], isFlag),
  ...each(['$id', '$schema', '$ref', '$anchor', '$comment', 'title', 'description', 'format', 'pattern'], isText),
  ...each(['contentEncoding', 'contentMediaType'], isText),
  ...each(['required'], areTexts),
  ...each(['enum', 'examples'], Array.isArray),
  // Unknown types have a rule of their own.
  ...each(['type'], (value) => isText(value) || (areTexts(value) && (value as unknown[]).length > 0)),
  ...each(schemaLists, (value) => Array.isArray(value) && value.length > 0),
  ...each(schemaMaps, isObject),
  ...each(['dependentRequired'], (value) => isObject(value) && Object.values(value).every(areTexts)),
  // A list was a tuple in older drafts.
  ...each(['items'], isSchema),
];

/** The keywords of a schema whose values aren't what JSON Schema 2020-12 has. `properties` has a rule of its own. */
export function wrongKeywords(node: SchemaNode): readonly string[] {
  const { schema } = node;
  const wrong = checks.filter(([keyword, check]) => Object.hasOwn(schema, keyword) && !check(schema[keyword]));
  const within = subschemas(node).filter(({ keyword, value }) => keyword !== 'properties' && !isSchema(value));
  return [...new Set([...wrong.map(([keyword]) => keyword), ...within.map(({ keyword }) => keyword)])];
}
