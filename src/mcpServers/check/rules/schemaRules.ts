import { isObject, textOf } from '../../../text/json';
import { t } from '../../../text/translator';
import { wrongKeywords } from './metaSchema';
import type { ToolRule } from './rule';
import { atAnyDepth, codeOf, namesAtAnyDepth } from './rule';
import type { SchemaNode } from './schemaNodes';
import { entries, refsIn, typesOf } from './schemaNodes';

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
/** Regular expressions that JavaScript has, but OpenAI's checks don't. Longer ones aren't looked at. */
const foreignPattern = /\(\?(?:<?[=!]|<[A-Za-z_])|\\[pP]\{|\\u\{/;
const maxPattern = 100_000;

/** What all providers, OpenAI and Anthropic demand of schemas. */
export const schemaRules: readonly ToolRule[] = [
  {
    code: 'no-properties',
    severity: 'error',
    by: 'OpenAI',
    rule: '`inputSchema` has `properties`, also for a tool without arguments. Codex adds them.',
    source:
      'openai/openai-agents-python#449, langchain-ai/langchain-mcp-adapters#343, containers/kubernetes-mcp-server#717',
    advice: t('Add `"properties": {}` to `inputSchema`.'),
    find: ({ schema }) =>
      isObject(schema) && schema['type'] === 'object' && schema['properties'] === undefined
        ? t('`inputSchema` has no `properties`, so OpenAI refuses it')
        : undefined,
  },
  {
    code: 'unknown-type',
    severity: 'error',
    by: 'Anthropic, OpenAI, Gemini',
    rule: `\`type\` is one of ${types.map(codeOf).join(', ')}.`,
    source: 's-stefanov/actual-mcp#26 (Anthropic), zereight/gitlab-mcp#166 (Gemini); JSON Schema 2020-12',
    advice: t('Use a type of JSON Schema, such as `string`, `integer` or `object`.'),
    find: namesAtAnyDepth(
      ({ schema }) => typesOf(schema).filter((type) => !types.includes(type)),
      (found) => t('The type {0} is unknown, so Anthropic, OpenAI and Gemini refuse it', found),
    ),
  },
  {
    code: 'invalid-property',
    severity: 'error',
    by: 'OpenAI, JSON Schema',
    rule: 'Each entry of `properties` is a schema.',
    source: 'smallmain/vscode-unify-chat-provider#162',
    advice: t('Make each entry of `properties` an object, such as `{ "type": "string" }`.'),
    find: atAnyDepth(({ schema: { properties } }) =>
      properties !== undefined &&
      (!isObject(properties) || Object.values(properties).some((one) => !isObject(one) && typeof one !== 'boolean'))
        ? t("An entry of `properties` isn't a schema, which OpenAI refuses")
        : undefined,
    ),
  },
  {
    code: 'invalid-schema',
    severity: 'error',
    by: 'Anthropic',
    rule: 'The schema is valid by JSON Schema 2020-12. Older drafts had `exclusiveMinimum: true`, `required: true` and lists in `items`. Claude Code corrects some.',
    source:
      'anthropics/claude-code#586, Dokploy/mcp#74, homeassistant-ai/ha-mcp#2361, hyperdxio/hyperdx#2925, kestra-io/kestra#17075',
    advice: t(
      'Write the schema as JSON Schema 2020-12 has it: `prefixItems` for tuples, numbers for limits, a list for `required`.',
    ),
    find: namesAtAnyDepth(wrongKeywords, (keywords) =>
      t('The value of {0} is invalid by JSON Schema 2020-12, so Anthropic refuses it', keywords),
    ),
  },
  {
    code: 'array-items',
    severity: 'error',
    by: 'OpenAI, VS Code, Gemini',
    rule: 'A schema of type `array` has `items`.',
    source: 'ruvnet/ruflo#1294 (OpenAI), agentscope-ai/ReMe#84 (VS Code), DEEIX-AI/DEEIX-Chat#546 (Gemini)',
    advice: t('Add `items` to each array, such as `"items": { "type": "string" }`.'),
    find: atAnyDepth(({ schema }) =>
      typesOf(schema).includes('array') && !('items' in schema) && !('prefixItems' in schema)
        ? t('An array without `items`, which OpenAI, VS Code and Gemini refuse')
        : undefined,
    ),
  },
  {
    code: 'pattern',
    severity: 'warning',
    by: 'OpenAI',
    rule: 'A `pattern` has no lookaround such as `(?=…)`, and nothing that only JavaScript has, such as `\\p{…}`.',
    source: 'nicobailon/pi-interactive-shell#69, vercel/ai#21037, anomalyco/opencode#32073, BerriAI/litellm#40485',
    advice: t('Use a simpler `pattern`, or say in `description` what the text looks like.'),
    find: atAnyDepth((node) => {
      const found = patternsOf(node).find((pattern) => foreignPattern.test(pattern.slice(0, maxPattern)));
      return found === undefined ? undefined : t('The pattern {0}, which OpenAI refuses', codeOf(found));
    }),
  },
  {
    code: 'broken-ref',
    severity: 'error',
    by: 'all',
    rule: '`$ref` leads to something in the same schema. Nothing fetches another document.',
    source: 'google-gemini/gemini-cli#13326, RooCodeInc/Roo-Code#11430',
    advice: t('Put what it refers to in `$defs` of `inputSchema`, or in its place.'),
    find: ({ schema, nodes }) => {
      const broken = refsIn(schema, nodes).find(({ leads }) => !leads);
      return broken && { ...t('{0} leads nowhere', codeOf(broken.ref)), at: broken.path };
    },
  },
  {
    code: 'ref',
    severity: 'warning',
    by: 'Gemini',
    rule: 'Some ways to Gemini refuse `$ref` and `$defs`, or lose what they refer to.',
    source: 'google-gemini/gemini-cli#13326, anomalyco/opencode#12295, lobehub/lobehub#12602',
    advice: t('Put the schemas in the place of `$ref`.'),
    find: ({ schema, nodes }) => {
      const local = refsIn(schema, nodes).find(({ leads }) => leads);
      return local && { ...t('The schema uses `$ref`, which some clients of Gemini refuse'), at: local.path };
    },
  },
];

function patternsOf({ schema }: SchemaNode): readonly string[] {
  const own = textOf(schema['pattern']);
  return [...(own === undefined ? [] : [own]), ...entries(schema['patternProperties']).map(([pattern]) => pattern)];
}
