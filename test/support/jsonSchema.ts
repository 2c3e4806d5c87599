import { isObject, objectOf } from '../../src/text/json';

/** Keywords that describe a setting and restrict nothing. */
const descriptive = new Set([
  ...['order', 'default', 'scope', 'description', 'markdownDescription', 'enumDescriptions'],
  ...['defaultSnippets', 'examples', 'patternErrorMessage'],
]);

/**
 * What is wrong with a value by the JSON schema of a setting, one line each.
 * @throws for keywords that no setting had when this was written
 */
export function schemaProblems(value: unknown, schema: unknown, path = ''): readonly string[] {
  if (typeof schema === 'boolean') return schema ? [] : [`${path} isn't allowed`];
  const restrictions = objectOf(schema);
  return Object.entries(restrictions).flatMap(([keyword, wanted]) => {
    if (descriptive.has(keyword)) return [];
    const limit = limits[keyword];
    if (limit) return unless(limit(value, wanted as number), `${path} doesn't fit ${keyword} ${String(wanted)}`);
    const check = checks[keyword];
    if (!check) throw new Error(`Unknown keyword: ${keyword}`);
    return check(value, wanted, path, restrictions);
  });
}

type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown, wanted: unknown, path: string, schema: Schema) => readonly string[];

const unless = (isFine: boolean, problem: string): readonly string[] => (isFine ? [] : [problem]);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What values of a type must fit; others do. */
const limits: Readonly<Record<string, (value: unknown, wanted: number) => boolean>> = {
  pattern: (value, wanted) => typeof value !== 'string' || new RegExp(String(wanted)).test(value),
  minLength: (value, wanted) => typeof value !== 'string' || value.length >= wanted,
  maxLength: (value, wanted) => typeof value !== 'string' || value.length <= wanted,
  minimum: (value, wanted) => typeof value !== 'number' || value >= wanted,
  maximum: (value, wanted) => typeof value !== 'number' || value <= wanted,
  exclusiveMinimum: (value, wanted) => typeof value !== 'number' || value > wanted,
};

const checks: Readonly<Record<string, Check>> = {
  type: (value, wanted, path) => {
    const types = Array.isArray(wanted) ? list(wanted) : [wanted];
    const isInteger = types.includes('integer') && Number.isInteger(value);
    return unless(isInteger || types.includes(typeOf(value)), `${path} is no ${types.join(' or ')}`);
  },
  enum: (value, wanted, path) => unless(list(wanted).includes(value), `${path} is none of ${JSON.stringify(wanted)}`),
  required: (value, wanted, path) => {
    const missing = isObject(value)
      ? list(wanted)
          .map(String)
          .filter((name) => !Object.hasOwn(value, name))
      : [];
    return missing.map((name) => `${path} has no ${name}`);
  },
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
