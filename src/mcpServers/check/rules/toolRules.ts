import { boundedJson } from '../../../text/boundedJson';
import { isObject } from '../../../text/json';
import { t } from '../../../text/translator';
import { geminiRules } from './geminiRules';
import type { ToolRule } from './rule';
import { codeOf, named } from './rule';
import { entries } from './schemaNodes';
import { schemaRules } from './schemaRules';

const rename = t('Rename the tool: letters, digits, `_` and `-`, at most 64 of them, beginning with a letter.');
const flatten = t('Describe all arguments in `properties`, and say in their descriptions which belong together.');
const renameProperty = t('Rename the arguments: letters, digits and `_`, at most 64 of them.');
const shorten = t('Shorten the description, and put what matters first.');
const shrink = t('Split the tool, or describe rare arguments in its description.');

const topLevel = ['oneOf', 'anyOf', 'allOf'] as const;
/** Names of arguments that all take. */
const plainKey = /^[a-zA-Z0-9_]{1,64}$/;
const anthropicKey = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The limits of OpenAI's structured outputs, which apply in strict mode. */
const strict = { properties: 5000, levels: 10, values: 1000, characters: 120_000 } as const;

/** How long a description may be for OpenAI, and from where Claude Code cuts it, in characters. */
const openAiDescription = 1024;
const claudeDescription = 4096;

/** What providers and agents demand of a single tool. */
export const toolRules: readonly ToolRule[] = [
  {
    code: 'tool-name',
    severity: 'warning',
    by: 'Anthropic, OpenAI',
    rule: 'Names consist of `a-z`, `A-Z`, `0-9`, `_` and `-`. Most agents replace other characters with `_`.',
    source: 'API references of both; Claude Code 2.1.330 and VS Code 1.139 were seen replacing dots',
    advice: rename,
    find: ({ name }) => {
      const other = /[^a-zA-Z0-9_-]/u.exec(name)?.[0];
      if (name === '') return t('The name is empty');
      if (other === undefined) return undefined;
      return t('The name has {0}, which Anthropic and OpenAI refuse', codeOf(other));
    },
  },
  {
    code: 'tool-name',
    severity: 'warning',
    by: 'Gemini',
    rule: 'Names begin with a letter or `_`.',
    source: "Vertex AI, `FunctionDeclaration`; agents that put the server's name in front are safe",
    advice: rename,
    find: ({ name }) =>
      /^[^a-zA-Z_]/.test(name) ? t("The name doesn't begin with a letter, as Gemini demands") : undefined,
  },
  {
    code: 'long-name',
    severity: 'warning',
    by: 'OpenAI, Gemini, Anthropic (older texts)',
    rule: 'Names have at most 64 characters. Anthropic takes up to 128 today.',
    source: 'API references; Claude Code 2.1.330 was seen sending 93',
    advice: rename,
    find: ({ name }) =>
      name.length > 64 ? t('The name has {0} characters; OpenAI and Gemini take 64', name.length) : undefined,
  },
  {
    code: 'schema-type',
    severity: 'error',
    by: 'Anthropic, OpenAI, Claude Code',
    rule: '`inputSchema` is a schema with `"type": "object"`. One that isn\'t makes the whole request fail, or the client drop all tools of the server.',
    source: 'anthropics/claude-code#88049, langchain-ai/langchainjs#9804',
    advice: t('Set `"type": "object"` in `inputSchema`, also for a tool without arguments.'),
    find: ({ schema }) => {
      if (!isObject(schema)) return t('`inputSchema` is missing or not an object');
      return schema['type'] === 'object' ? undefined : t('`inputSchema` isn\'t of `"type": "object"`');
    },
  },
  {
    code: 'schema-keyword',
    severity: 'error',
    by: 'Anthropic, OpenAI, Claude Code',
    rule: '`inputSchema` has no `oneOf`, `anyOf` or `allOf` at its top level; for OpenAI also no `enum` and no `not`. Some agents flatten it, others pass it on, and one such tool makes the request fail; Claude Code may drop it.',
    source:
      'langchain-ai/langchainjs#9804, anthropics/claude-code#5973 and #95504; Codex, Gemini CLI, Kimi and OpenCode were seen passing it on',
    advice: flatten,
    find: ({ schema }) => {
      const found = isObject(schema) ? [...topLevel, 'enum', 'not'].filter((keyword) => keyword in schema) : [];
      if (found.length === 0) return undefined;
      const isOpenAis = found.every((keyword) => !topLevel.some((known) => known === keyword));
      const keywords = found.map((keyword) => `\`${keyword}\``).join(', ');
      return isOpenAis
        ? t('{0} at the top level of `inputSchema`, which OpenAI refuses', keywords)
        : t('{0} at the top level of `inputSchema`, which Anthropic and OpenAI refuse', keywords);
    },
  },
  {
    code: 'property-name',
    severity: 'error',
    by: 'Anthropic, Claude Code',
    rule: 'Arguments are named with `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`, at most 64 of them.',
    source: 'anthropics/claude-code#5319; Claude Code 2.1.330 was seen dropping such a tool without a word',
    advice: renameProperty,
    find: ({ schema }) => {
      const keys = badKeys(schema, anthropicKey);
      return keys === undefined ? undefined : t('Arguments named {0}, which Anthropic refuses', keys);
    },
  },
  {
    code: 'property-name',
    severity: 'warning',
    by: 'Gemini',
    rule: 'Arguments are named with `a-z`, `A-Z`, `0-9` and `_`, at most 64 of them.',
    source: 'Vertex AI, `FunctionDeclaration`',
    advice: renameProperty,
    find: ({ schema }) => {
      const keys = badKeys(schema, plainKey, anthropicKey);
      return keys === undefined ? undefined : t('Arguments named {0}, which Gemini refuses', keys);
    },
  },
  {
    code: 'large-schema',
    severity: 'warning',
    by: 'OpenAI (strict mode)',
    rule: 'A schema has at most 5,000 properties, 10 levels, 1,000 values in `enum`, and 120,000 characters in names and values.',
    source: 'OpenAI, structured outputs',
    advice: shrink,
    find: ({ nodes }) => {
      const names = nodes.flatMap(({ schema: { properties, $defs } }) => [...entries(properties), ...entries($defs)]);
      const values = nodes.flatMap(({ schema: own }) => (Array.isArray(own['enum']) ? (own['enum'] as unknown[]) : []));
      const properties = nodes.reduce((sum, { schema: own }) => sum + entries(own['properties']).length, 0);
      const levels = nodes.reduce((most, { level }) => Math.max(most, level), 0);
      const texts = values.map((value) => (typeof value === 'string' ? value : boundedJson(value)));
      const characters = [...names.map(([name]) => name), ...texts].reduce((sum, { length }) => sum + length, 0);
      if (properties > strict.properties) return t('The schema has {0} properties; OpenAI takes 5,000', properties);
      if (levels > strict.levels) return t('The schema has {0} levels; OpenAI takes 10', levels);
      if (values.length > strict.values) {
        return t('The schema has {0} values in `enum`; OpenAI takes 1,000', values.length);
      }
      return characters > strict.characters
        ? t('Names and values of the schema have {0} characters; OpenAI takes 120,000', characters)
        : undefined;
    },
  },
  {
    code: 'long-description',
    severity: 'warning',
    by: 'OpenAI',
    rule: 'Descriptions of tools have at most 1,024 characters.',
    source:
      'getsentry/sentry-mcp#106, modelcontextprotocol/servers#799; many agents shorten them, or use an interface without the limit',
    advice: shorten,
    // In characters, not units of UTF-16.
    find: ({ description = '' }) =>
      Array.from(description).length > openAiDescription
        ? t('A description of more than 1,024 characters, which OpenAI refuses')
        : undefined,
  },
  {
    code: 'long-description',
    severity: 'warning',
    by: 'Claude Code',
    clients: ['claude'],
    rule: 'Descriptions are cut near 4,096 characters.',
    source: 'Claude Code 2.1.330 was seen doing it',
    advice: shorten,
    find: ({ description = '' }) =>
      description.length > claudeDescription
        ? t('The description has {0} characters; Claude Code cuts it near 4,096', description.length)
        : undefined,
  },
  ...schemaRules,
  ...geminiRules,
];

/** The names of arguments that don't match, but that another pattern lets pass. */
function badKeys(schema: unknown, pattern: RegExp, other?: RegExp): string | undefined {
  const keys = entries(isObject(schema) ? schema['properties'] : undefined)
    .map(([key]) => key)
    .filter((key) => !pattern.test(key) && (other?.test(key) ?? true));
  return keys.length === 0 ? undefined : named(keys);
}
