import { isObject, objectOf } from '../../src/text/json';

/** Keywords that describe a setting and restrict nothing. */
const descriptive = new Set(
  'order default scope description markdownDescription enumDescriptions defaultSnippets examples patternErrorMessage'.split(
    ' ',
  ),
);

/**
 * What is wrong with a value by the JSON schema of a setting, one line each.
 * @throws for keywords that no setting had when this was written
 */
export function schemaProblems(value: unknown, schema: unknown, path = ''): readonly string[] {
  if (typeof schema === 'boolean') return schema ? [] : [`${path} isn't allowed`];
  const restrictions = objectOf(schema);
  return Object.entries(restrictions).flatMap(([keyword, wanted]) => {
    if (descriptive.has(keyword)) return [];
    const check = checks[keyword];
    if (!check) throw new Error(`Unknown keyword: ${keyword}`);
    return check(value, wanted, path, restrictions);
  });
}

type Check = (
  value: unknown,
  wanted: unknown,
  path: string,
  schema: Readonly<Record<string, unknown>>,
) => readonly string[];

const unless = (isFine: boolean, problem: string): readonly string[] => (isFine ? [] : [problem]);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const checks: Readonly<Record<string, Check>> = {
  type: (value, wanted, path) => {
    const types = Array.isArray(wanted) ? list(wanted) : [wanted];
    return unless(
      types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value)),
      `${path} is no ${types.join(' or ')}`,
    );
  },
  enum: (value, wanted, path) => unless(list(wanted).includes(value), `${path} is none of ${JSON.stringify(wanted)}`),
  pattern: (value, wanted, path) =>
    unless(
      typeof value !== 'string' || new RegExp(String(wanted)).test(value),
      `${path} doesn't match ${String(wanted)}`,
    ),
  minLength: (value, wanted, path) =>
    unless(typeof value !== 'string' || value.length >= Number(wanted), `${path} is too short`),
  maxLength: (value, wanted, path) =>
    unless(typeof value !== 'string' || value.length <= Number(wanted), `${path} is too long`),
  minimum: (value, wanted, path) =>
    unless(typeof value !== 'number' || value >= Number(wanted), `${path} is too small`),
  maximum: (value, wanted, path) =>
    unless(typeof value !== 'number' || value <= Number(wanted), `${path} is too large`),
  exclusiveMinimum: (value, wanted, path) =>
    unless(typeof value !== 'number' || value > Number(wanted), `${path} is too small`),
  required: (value, wanted, path) =>
    !isObject(value)
      ? []
      : list(wanted).flatMap((name) => unless(Object.hasOwn(value, String(name)), `${path} has no ${String(name)}`)),
  items: (value, wanted, path) =>
    list(value).flatMap((item, index) => schemaProblems(item, wanted, `${path}[${index}]`)),
  properties: (value, wanted, path) =>
    Object.entries(objectOf(wanted)).flatMap(([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name) ? schemaProblems(value[name], schema, `${path}.${name}`) : [],
    ),
  propertyNames: (value, wanted, path) =>
    Object.keys(objectOf(value)).flatMap((name) => schemaProblems(name, wanted, `${path}.${name}`)),
  additionalProperties: (value, wanted, path, schema) =>
    Object.entries(objectOf(value)).flatMap(([name, one]) =>
      Object.hasOwn(objectOf(schema['properties']), name) ? [] : schemaProblems(one, wanted, `${path}.${name}`),
    ),
  anyOf: (value, wanted, path) => {
    const each = list(wanted).map((schema) => schemaProblems(value, schema, path));
    return each.some((problems) => problems.length === 0) ? [] : each.flat();
  },
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
