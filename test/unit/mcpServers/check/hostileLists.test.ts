import assert from 'node:assert/strict';
import fc from 'fast-check';
import { greetingOf } from '../../../../src/mcpServers/check/checkedServer';
import { checkUpJson, describeCheckUp } from '../../../../src/mcpServers/check/checkReport';
import type { CheckUp } from '../../../../src/mcpServers/check/checkUp';
import { checkTools } from '../../../../src/mcpServers/check/rules/checkTools';
import { listedTools } from '../../../../src/mcpServers/check/rules/listedTool';
import { t, verbatim } from '../../../../src/text/translator';
import { checkTarget } from '../../../support/checkTarget';
import { holds } from '../../../support/property';
import { millisecondsFor } from '../../../support/doubling';

/** Checks a list as a server sent it, up to the report. */
function checked(entries: readonly unknown[], instructions?: unknown): CheckUp {
  const greeting = greetingOf({ name: 'hostile', instructions });
  const { tools, notes } = listedTools(entries);
  const clients = ['claude', 'codex', 'gemini', 'vscode', 'cursor'];
  const start = { type: 'process', command: 'x', args: [], env: {} } as const;
  const target = checkTarget('hostile', start, { clients: clients.map((id) => ({ id, label: id })) });
  const findings = checkTools([{ name: 'hostile', label: 'hostile', clients, tools, ...greeting }]);
  const server = { target, source: { type: 'started' }, ...greeting, tools, notes } as const;
  return { at: 0, atOnce: 1, slow: 0, servers: [server], findings, unreadable: [] };
}

/** The report and JSON stay short, whatever a server sends. */
function reported(result: CheckUp): number {
  return describeCheckUp(result).length + JSON.stringify(checkUpJson(result)).length;
}

describe('a settings file that can’t be read', () => {
  it('is code in the report, whatever its name and the reason contain', () => {
    const file = '/home/`me/*/mcp.json';
    const client = { id: 'claude', label: 'Claude Code', form: { files: [] } } as const;
    const message = t("{0} can't be read: {1}", file, verbatim('`not` a *list*, but ` in /home'));
    const report = describeCheckUp({ ...checked([]), servers: [], unreadable: [{ client, file, message }] });
    const line = report.split('\n').find((one) => one.includes("can't be read"));
    assert.equal(line, "- **warning** ``/home/`me/*/mcp.json`` can't be read: `not` a \\*list\\*, but \\` in /home");
  });
});

describe('hostile lists of tools', () => {
  const word = fc.constantFrom(
    ...['type', 'object', 'array', 'properties', 'items', 'enum', '$ref', '$id', '$anchor', '$defs', 'anyOf', 'not'],
    ...['#', '#/', '#/$defs/a', '#a', 'a', 'toString', 'length', 'constructor'],
    ...['a\u200bb', '`', '**', '\n# x', '%', '~1'],
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const list = fc.array(tie('schema'), { maxLength: 4 });
    const object = fc.dictionary(word, tie('schema'), { maxKeys: 6 });
    return { schema: fc.oneof({ depthSize: 'medium' }, word, fc.integer(), fc.constant(null), list, object) };
  });
  const tool = fc.record(
    { name: fc.oneof(word, schema), description: schema, inputSchema: schema, annotations: schema, title: schema },
    { requiredKeys: [] },
  );

  holds(
    'never break the check-up',
    500,
    fc.property(fc.array(fc.oneof(tool, schema), { maxLength: 6 }), schema, (entries, instructions) => {
      const result = checked(entries, instructions);
      assert.ok(reported(result) < 200_000);
      // One line each, so nothing that a server sends can begin a section.
      const headings = describeCheckUp(result).match(/^#.*/gm);
      assert.deepEqual(headings?.slice(1), ['## hostile']);
    }),
  );

  const nested = (depth: number, wrap: (inner: string) => string): unknown => {
    let json = '{}';
    for (let level = 0; level < depth; level++) json = wrap(json);
    return JSON.parse(json) as unknown;
  };
  const many = (count: number, of: (index: number) => unknown): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)]));

  /** Each takes seconds or a stack if something is read once per part, or by recursion. */
  const deep = (depth: number, name: string): unknown =>
    nested(depth, (inner) => `{"type":"object","properties":{"${name}":${inner}}}`);
  const refs = (count: number, of: (index: number) => string): object => {
    return { properties: many(count, (index) => ({ $ref: of(index) })) };
  };
  const schemas: Readonly<Record<string, () => unknown>> = {
    'deep properties': () => deep(1500, 'a'),
    'deep lists': () => ({ type: 'object', enum: [nested(1500, (inner) => `[${inner}]`)] }),
    'deeper properties with long names': () => deep(5000, 'a'.repeat(100)),
    'deeper lists': () => ({ type: 'object', enum: [nested(5000, (inner) => `[${inner}]`)] }),
    'many properties': () => ({ type: 'object', properties: many(20_000, () => ({ type: 'string' })) }),
    'far too many properties': () => ({ type: 'object', properties: many(300_000, () => ({ type: 'string' })) }),
    'many alternatives': () => ({ anyOf: Array.from({ length: 300_000 }, () => ({})) }),
    'many references that lead nowhere': () => refs(20_000, (index) => `x${index}`),
    'many references that lead somewhere': () => refs(20_000, (index) => `#/properties/p${index}`),
    'a long name': () => ({ properties: { ['x'.repeat(3_000_000)]: {} } }),
  };
  const manyTools = (): unknown[] =>
    Array.from({ length: 2000 }, (_, index) => ({
      name: `${index} ${'x'.repeat(10_000)}`,
      inputSchema: { properties: many(50, () => ({ type: 'array' })) },
    }));
  const lists: readonly (readonly [what: string, make: () => unknown[], length: number, ms: number])[] = [
    ...Object.entries(schemas).map(([what, make]) => {
      return [what, () => [{ name: 'a', inputSchema: make() }], 100_000, 5000] as const;
    }),
    ['many large tools with long names', manyTools, 2_000_000, 10_000],
  ];
  for (const [what, make, maxLength, ms] of lists) {
    it(`are read in a bounded time: ${what}`, () => {
      let length = Infinity;
      const took = millisecondsFor((tools) => (length = reported(checked(tools))), make());
      assert.ok(length < maxLength);
      assert.ok(took < ms, `${took} ms`);
    });
  }

  it('and hidden characters in the general instructions are found', () => {
    const codes = checked([], 'Be\u200b kind.').findings.map(({ code }) => code);
    assert.deepEqual(codes, ['hidden-characters']);
  });
});
