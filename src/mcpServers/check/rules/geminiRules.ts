import { textOf } from '../../../text/json';
import { t } from '../../../text/translator';
import type { ToolRule } from './rule';
import { atAnyDepth, named, namesAtAnyDepth } from './rule';
import type { SchemaNode } from './schemaNodes';
import { entries, listOf, subschemas, typesOf } from './schemaNodes';

const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Keywords that say of which type a value is. */
const typeKeywords = ['type', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'const'];
/** Where a schema may be of any type: clients remove these keywords. */
const isFree = ({ keyword }: Pick<SchemaNode, 'keyword'>): boolean =>
  keyword !== undefined &&
  !['properties', 'items', 'prefixItems', 'anyOf', 'oneOf', '$defs', 'definitions'].includes(keyword);

const documented = 'Gemini API, `Schema`';

/** What Gemini demands of schemas. Whether it is met depends on what its client makes of them, so nothing is an error. */
export const geminiRules: readonly ToolRule[] = [
  {
    code: 'gemini-type',
    severity: 'warning',
    by: 'Gemini',
    rule: '`type` is one type, not a list.',
    source: 'github/copilot-cli#4623, taylorwilsdon/google_workspace_mcp#1099, n8n-io/n8n#15553',
    advice: t('Give `type` one type, and use `anyOf` if it may be another or null.'),
    find: atAnyDepth(({ schema: { type }, keyword }) =>
      keyword !== undefined && Array.isArray(type) ? t('A list of types in `type`, which Gemini refuses') : undefined,
    ),
  },
  {
    code: 'gemini-type',
    severity: 'info',
    by: 'Gemini',
    rule: '`anyOf` with `"type": "null"` becomes a list of types in some clients.',
    source: 'taylorwilsdon/google_workspace_mcp#1099 (LangChain, n8n)',
    advice: t('Leave the argument out of `required` instead, if it need not be given.'),
    find: atAnyDepth(({ schema: { anyOf } }) =>
      listOf(anyOf).some((one) => entries(one).some(([key, value]) => key === 'type' && value === 'null'))
        ? t('`anyOf` with null, which some clients turn into a list of types, which Gemini refuses')
        : undefined,
    ),
  },
  {
    code: 'gemini-type',
    severity: 'warning',
    by: 'Gemini, Gemini CLI',
    rule: 'Each argument has a `type`.',
    source: 'directus/mcp#8, QuantumNous/new-api#3022, arben-adm/mcp-sequential-thinking#12',
    advice: t('Give each argument a `type`.'),
    find: atAnyDepth((node) =>
      node.keyword === undefined || isFree(node) || typeKeywords.some((keyword) => keyword in node.schema)
        ? undefined
        : t('A schema without `type`, which Gemini refuses'),
    ),
  },
  withoutKeywords({
    keywords: ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    source: 'modelcontextprotocol/servers#1624, ahmadrosid/nakama#293, decolua/9router#2317',
    advice: t('Use `minimum` and `maximum`, or say it in `description`.'),
  }),
  withoutKeywords({
    keywords: ['const'],
    source: 'zed-industries/zed#45552, zed-extensions/mcp-server-brave-search#12',
    advice: t('Use `enum` with one text.'),
  }),
  withoutKeywords({
    keywords: ['propertyNames', 'patternProperties', 'unevaluatedProperties'],
    source: 'zendev-sh/goai#108, tailcallhq/forgecode#3426, langchain-ai/langchainjs#9526',
    advice: t('Say in `description` how the arguments are named.'),
  }),
  withoutKeywords({
    keywords: [
      ...['uniqueItems', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
      ...['contains', 'minContains', 'maxContains'],
    ],
    source: `router-for-me/CLIProxyAPI#2142; ${documented}`,
    advice: t('Use `items`, `minItems` and `maxItems`, or say it in `description`.'),
  }),
  withoutKeywords({
    keywords: ['if', 'then', 'else', 'dependencies', 'dependentRequired', 'dependentSchemas'],
    belowTop: ['oneOf', 'allOf', 'not'],
    source: `NousResearch/hermes-agent#89673; ${documented}`,
    advice: t('Use `anyOf`, or say it in `description`.'),
  }),
  withoutKeywords({
    keywords: [
      ...['examples', 'deprecated', 'readOnly', 'writeOnly'],
      ...['contentEncoding', 'contentMediaType', 'contentSchema'],
    ],
    source: `AstrBotDevs/AstrBot#7572, Wei-Shaw/sub2api#6116; ${documented}`,
    advice: t('Say it in `description`.'),
  }),
  {
    code: 'gemini-enum',
    severity: 'warning',
    by: 'Gemini',
    rule: '`enum` has only texts, none of them empty, and its `type` is `string`.',
    source: 'weave-os/router#65, thClaws/thClaws#172, elie222/inbox-zero#3047, sbroenne/mcp-server-excel#607',
    advice: t('List texts in `enum`, or say in `description` which values there are.'),
    find: atAnyDepth(({ schema }) => {
      const values = listOf(schema['enum']);
      if (values.some((value) => typeof value !== 'string')) {
        return t('Values in `enum` that are no text, which Gemini refuses');
      }
      if (values.includes('')) return t('An empty text in `enum`, which Gemini refuses');
      const types = typesOf(schema);
      return values.length > 0 && types.length > 0 && !types.includes('string')
        ? t('An `enum` whose `type` is not `string`, which Gemini refuses')
        : undefined;
    }),
  },
  {
    code: 'gemini-format',
    severity: 'warning',
    by: 'Gemini',
    rule: '`format` is `enum` or `date-time` for a string, `float` or `double` for a number, `int32` or `int64` for an integer.',
    source: `hideya/langchain-mcp-tools-ts#36, google-gemini/gemini-cli#2237, OpenHands/OpenHands#8595; ${documented}`,
    advice: t('Remove `format`, and say in `description` what the text looks like.'),
    find: namesAtAnyDepth(
      ({ schema }) => {
        const format = textOf(schema['format']);
        if (format === undefined) return [];
        const types = typesOf(schema);
        return (types.length === 0 ? ['string'] : types).some((type) => formats[type]?.includes(format) === false)
          ? [format]
          : [];
      },
      (found) => t('The format {0}, which Gemini refuses', found),
    ),
  },
  {
    code: 'gemini-boolean',
    severity: 'warning',
    by: 'Gemini',
    rule: 'A schema is an object, not `true` or `false`.',
    source: 'google/adk-python#4531; Gemini through Copilot CLI',
    advice: t('Write a schema with a `type` in its place.'),
    find: atAnyDepth((node) =>
      subschemas(node).some((one) => typeof one.value === 'boolean' && !isFree(one))
        ? t('`true` or `false` in place of a schema, which Gemini refuses')
        : undefined,
    ),
  },
  {
    code: 'gemini-required',
    severity: 'warning',
    by: 'Gemini',
    rule: '`required` names only arguments in `properties`.',
    source: 'MarkusPfundstein/mcp-obsidian#105, iBUHub/AIStudioToAPI#154',
    advice: t('Describe each of them in `properties`, or remove it from `required`.'),
    find: namesAtAnyDepth(
      ({ schema: { type, properties, required } }) => {
        if (type !== 'object' && properties === undefined) return [];
        const known = new Set(entries(properties).map(([name]) => name));
        return listOf(required).filter((name): name is string => typeof name === 'string' && !known.has(name));
      },
      (names) => t('`required` has {0}, which `properties` lacks, so Gemini refuses it', names),
    ),
  },
  {
    code: 'gemini-type',
    severity: 'warning',
    by: 'Gemini',
    rule: '`properties` and `required` are only in objects, `items` only in arrays.',
    source: 'anomalyco/opencode#11889, iOfficeAI/OfficeCLI#419',
    advice: t('Correct `type`, or remove what belongs to another type.'),
    find: namesAtAnyDepth(
      ({ schema }) => {
        const types = typesOf(schema);
        const foreign = (type: string, keywords: readonly string[]): readonly string[] =>
          types.some((one) => one !== type) ? keywords.filter((keyword) => keyword in schema) : [];
        return schema['type'] === undefined
          ? []
          : [...foreign('object', ['properties', 'required']), ...foreign('array', ['items'])];
      },
      (keywords) => t('{0} beside a `type` that has none, which Gemini refuses', keywords),
    ),
  },
  {
    code: 'gemini-empty-object',
    severity: 'warning',
    by: 'Gemini (older models)',
    rule: 'An object within the arguments has `properties`.',
    source: 'MarkusPfundstein/mcp-obsidian#21, CherryHQ/cherry-studio#3270, nanbingxyz/5ire#42',
    advice: t('Describe its `properties`, or take a text with JSON instead.'),
    find: atAnyDepth(({ schema, keyword }) =>
      keyword !== undefined &&
      !isFree({ keyword }) &&
      typesOf(schema).includes('object') &&
      entries(schema['properties']).length === 0 &&
      !['anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema)
        ? t('An object without `properties`, which older Gemini models refuse')
        : undefined,
    ),
  },
];

/**
 * A rule for keywords of JSON Schema that Gemini's `Schema` doesn't have. None is for those that all known clients remove: `$schema`,
 * `additionalProperties` and the like.
 */
function withoutKeywords({
  keywords,
  belowTop = [],
  ...known
}: Pick<ToolRule, 'source' | 'advice'> & {
  readonly keywords: readonly string[];
  /** At the top level, others refuse them, too, which has a rule of its own. */
  readonly belowTop?: readonly string[];
}): ToolRule {
  const all = [...belowTop, ...keywords];
  return {
    code: 'gemini-keyword',
    severity: 'warning',
    by: 'Gemini',
    rule: `No schema has ${named(all, Infinity)}.`,
    ...known,
    find: namesAtAnyDepth(
      ({ schema, keyword: of }) => (of === undefined ? keywords : all).filter((keyword) => keyword in schema),
      (found) => t('{0}, which Gemini refuses', found),
    ),
  };
}
