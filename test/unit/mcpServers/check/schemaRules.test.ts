import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/text/translator';
import { checkTools } from '../../../../src/mcpServers/check/rules/checkTools';
import { listedTool } from '../../../../src/mcpServers/check/rules/listedTool';
import { rowsOf } from '../../../support/columns';

function findings(...tools: readonly object[]) {
  const listed = tools.flatMap((tool) => listedTool({ name: 'look', description: 'Looks.', ...tool }) ?? []);
  return checkTools([{ name: 's', label: 's', clients: ['claude'], tools: listed }]);
}

describe('rules for schemas of tools', () => {
  const text = { type: 'string' };
  const number = { type: 'integer' };
  /** What a schema has, and what is reported: `by code: message`. */
  const rows: readonly (readonly [what: string, schema: object, ...found: readonly string[]])[] = [
    ['a text', text],
    ['limits', { ...number, minimum: 0, maximum: 9, default: 1, title: 'A' }],
    ['texts to choose from', { ...text, enum: ['a', 'b'] }],
    ['a date', { ...text, format: 'date-time' }],
    ['a number of 64 bits', { ...number, format: 'int64' }],
    ['a choice of types', { anyOf: [text, number] }],
    ['an object that may have more', { type: 'object', properties: { b: text }, additionalProperties: true }],
    ['a pattern', { ...text, pattern: '^[a-z]{1,3}(?:-[a-z]+)*$' }],
    ['a list of types', { type: ['string', 'null'] }, 'warning Gemini: A list of types'],
    ['null in anyOf', { anyOf: [text, { type: 'null' }] }, 'info Gemini: `anyOf` with null'],
    ['no type', {}, 'warning Gemini, Gemini CLI: A schema without `type`'],
    ['an exclusive limit', { ...number, exclusiveMinimum: 0 }, 'warning Gemini: `exclusiveMinimum`'],
    ['a constant', { const: 'x' }, 'warning Gemini: `const`'],
    ['unique items', { type: 'array', items: text, uniqueItems: true }, 'warning Gemini: `uniqueItems`'],
    ['one of several', { oneOf: [text, number] }, 'warning Gemini: `oneOf`'],
    ['a tuple', { type: 'array', prefixItems: [text, number] }, 'warning Gemini: `prefixItems`'],
    ['names', { ...object({ b: text }), propertyNames: text }, 'warning Gemini: `propertyNames`'],
    ['numbers in enum', { ...number, enum: [1, 2] }, 'warning Gemini: Values in `enum` that are no text'],
    ['null in enum', { ...text, enum: ['a', null] }, 'warning Gemini: Values in `enum` that are no text'],
    ['an empty text in enum', { ...text, enum: ['', 'a'] }, 'warning Gemini: An empty text'],
    ['texts for a number', { ...number, enum: ['1'] }, 'warning Gemini: An `enum` whose `type`'],
    ['an address', { ...text, format: 'uri' }, 'warning Gemini: The format `uri`'],
    ['an unsigned number', { ...number, format: 'uint32' }, 'warning Gemini: The format `uint32`'],
    ['items that may be anything', { type: 'array', items: true }, 'warning Gemini: `true` or `false`'],
    ['an unknown argument', { ...object({ b: text }), required: ['b', 'c'] }, 'warning Gemini: `required` has `c`'],
    ['items of a text', { ...text, items: text }, 'warning Gemini: `items` beside'],
    ['an open object', { type: 'object', additionalProperties: text }, 'warning Gemini (older models): An object'],
    ['lookahead', { ...text, pattern: '^(?!x).*$' }, 'warning OpenAI: The pattern `^(?!x).*$`'],
    ['a class of Unicode', { ...text, pattern: '^\\p{L}+$' }, 'warning OpenAI: The pattern'],
    ['an unknown type', { type: 'strng' }, 'error Anthropic, OpenAI, Gemini: The type `strng`'],
    [
      'an exclusive limit of draft 4',
      { ...number, minimum: 0, exclusiveMinimum: true },
      'warning Gemini: `exclusiveMinimum`',
      'error Anthropic: The value of `exclusiveMinimum`',
    ],
    ['a tuple of draft 7', { type: 'array', items: [text, number] }, 'error Anthropic: The value of `items`'],
    [
      'required of draft 3',
      { ...text, required: true },
      'error Anthropic: The value of `required`',
      'warning Gemini: `required` beside',
    ],
    ['a limit that is a text', { ...text, minLength: '1' }, 'error Anthropic: The value of `minLength`'],
    ['no choice', { ...text, anyOf: [] }, 'error Anthropic: The value of `anyOf`'],
    ['an array without items', { type: 'array' }, 'error OpenAI, VS Code, Gemini: An array'],
    [
      'an array or null without items',
      { type: ['array', 'null'] },
      'error OpenAI, VS Code, Gemini: An array',
      'warning Gemini: A list of types',
    ],
  ];
  function object(properties: object): object {
    return { type: 'object', properties };
  }
  const places: Readonly<Record<string, (schema: object) => object>> = {
    'an argument': (schema) => ({ properties: { a: { description: 'A', ...schema } } }),
    'an argument of an argument': (schema) => ({ properties: { a: { description: 'A', ...object({ b: schema }) } } }),
    items: (schema) => ({ properties: { a: { type: 'array', items: schema, description: 'A' } } }),
    anyOf: (schema) => ({ properties: { a: { anyOf: [text, { anyOf: [schema] }], description: 'A' } } }),
    $defs: (schema) => ({ properties: {}, $defs: { a: schema } }),
  };
  for (const [what, schema, ...wanted] of rows) {
    it(`${wanted.length === 0 ? 'take' : 'find'} ${what}, at any depth`, () => {
      for (const [place, within] of Object.entries(places)) {
        const found = findings({ inputSchema: { type: 'object', ...within(schema) } });
        const shown = found.map(({ severity, by, message }) => `${severity} ${by}: ${inEnglish(message)}`);
        const missing = wanted.filter((one) => !shown.some((line) => line.startsWith(one)));
        assert.deepEqual([missing, shown.length], [[], wanted.length], `${place}: ${shown.join('\n')}`);
        assert.ok(found.every(({ source }) => source !== undefined && source !== ''));
      }
    });
  }

  it('find true for an argument, and no properties at all', () => {
    const codes = (inputSchema: object): readonly string[] => findings({ inputSchema }).map(({ code }) => code);
    assert.deepEqual(codes(object({ a: true })), ['gemini-boolean', 'no-description']);
    assert.deepEqual(codes({ type: 'object' }), ['no-properties']);
  });

  it('say once what several tools have, and where the first has it', () => {
    const within = (name: string): object => ({
      name,
      inputSchema: object({ [name]: { ...text, format: 'uri', description: 'A' } }),
    });
    assert.deepEqual(rowsOf(findings(within('a'), within('b')), 'tools', 'at'), ['a,b a']);
  });
});
