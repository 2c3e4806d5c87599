import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { plainEntry } from '../../../src/agents/mcpForm';
import { tapWords } from '../../../src/live/config/tapWords';
import type { ConfigFile } from '../../../src/mcpServers/configFiles';
import { nodeAt, valueOf } from '../../../src/mcpServers/configNode';
import { parseConfig } from '../../../src/mcpServers/parseConfig';
import type { Wrapping } from '../../../src/mcpServers/wrapping';
import { unwrapped, wrapped } from '../../../src/mcpServers/wrapping';
import { knownFiles, writtenConfig } from './configTexts';

const cli = process.platform === 'win32' ? 'C:\\state\\agent-logs.cjs' : '/my state/agent-logs.cjs';

function frontFor(path: readonly string[]): readonly string[] {
  return ['node', cli, ...tapWords({ name: path.at(-1) ?? '', protocol: 'mcp', secretEnv: ['KEY'] })];
}

/** Wraps an entry that has a command. */
function wrap(text: string, file: ConfigFile, path: readonly string[]): { text: string; wrapping: Wrapping } {
  return wrapped(text, { file, path }, frontFor(path)) ?? assert.fail('not wrapped');
}

function unwrap(text: string, file: ConfigFile, path: readonly string[], wrapping?: Wrapping): string {
  const result = unwrapped(text, { file, path }, wrapping);
  assert.ok(typeof result === 'object', JSON.stringify(result));
  return result.text;
}

/** The command in an entry. */
function wordsAt(text: string, file: ConfigFile, path: readonly string[]): readonly unknown[] {
  const root = parseConfig(text, file);
  return (file.client.form.entry ?? plainEntry).commands.flatMap((form): unknown => {
    if (form.type === 'list') return valueOf(nodeAt(root, [...path, ...form.path]));
    return [form.command, form.args].flatMap((field) => valueOf(nodeAt(root, [...path, ...field])) ?? []);
  });
}

function fileOf(client: string, name: string): ConfigFile {
  return knownFiles.find((one) => one.client.id === client && one.path.endsWith(name)) ?? assert.fail(name);
}

describe('wrapping the commands of MCP servers', () => {
  for (const client of [...new Set(knownFiles.map((file) => file.client.id))]) {
    it(`puts the tap in front, and gives back every byte: ${client}`, () => {
      fc.assert(
        fc.property(writtenConfig(client), fc.array(fc.nat(), { maxLength: 8 }), ({ file, text, servers }, order) => {
          const place = (server: (typeof servers)[number]): number => order[servers.indexOf(server)] ?? 0;
          const shuffled = [...servers].sort((a, b) => place(a) - place(b));
          const wrappings = new Map<readonly string[], Wrapping>();
          let current = text;
          for (const { path, words } of servers) {
            const result = wrap(current, file, path);
            assert.deepEqual(wordsAt(result.text, file, path), [...frontFor(path), ...words]);
            assert.equal(wrapped(result.text, { file, path }, frontFor(path)), undefined, 'wraps twice');
            assert.equal(unwrap(result.text, file, path, result.wrapping), current);
            assert.deepEqual(wordsAt(unwrap(result.text, file, path), file, path), words, 'without a memory');
            wrappings.set(path, result.wrapping);
            current = result.text;
          }
          for (const { path, words } of shuffled) {
            current = unwrap(current, file, path, wrappings.get(path));
            assert.deepEqual(wordsAt(current, file, path), words);
            assert.equal(unwrapped(current, { file, path }, wrappings.get(path)), 'absent');
          }
          assert.equal(current, text);
        }),
        { numRuns: 80 },
      );
    });

    it(`keeps what was changed elsewhere in the file meanwhile: ${client}`, () => {
      fc.assert(
        fc.property(writtenConfig(client), ({ file, text, servers: [first, ...others] }) => {
          assert.ok(first);
          const before = wrap(text, file, first.path);
          const edited = others.reduce((all, { path }) => wrap(all, file, path).text, before.text);
          const changed = `${edited}${file.form.syntax === 'toml' ? '\n# more\n[z]\n' : '\n/* more */\n'}`;
          const restored = unwrap(changed, file, first.path, before.wrapping);
          assert.deepEqual(wordsAt(restored, file, first.path), first.words);
          const expected = others.reduce((all, { path }) => wrap(all, file, path).text, text);
          assert.equal(restored, `${expected}${changed.slice(edited.length)}`);
        }),
        { numRuns: 30 },
      );
    });
  }

  const mcpJson = fileOf('claude', '.mcp.json');
  const path = ['mcpServers', 'a'];

  it('changes only the program and the beginning of the arguments', () => {
    const text = '{\n\t"mcpServers": {\n\t\t"a": { "command": "npx", "args": ["-y"], "env": {} } // mine\n\t},\n}\n';
    const { text: after } = wrap(text, mcpJson, path);
    const args = JSON.stringify([...frontFor(path).slice(1), 'npx', '-y']).replaceAll('","', '", "');
    const expected = text.replace('"npx"', '"node"').replace('["-y"]', () => args);
    assert.equal(after, expected);
  });

  it('adds arguments on a line of their own, as the command is', () => {
    const text = '{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}';
    const after = wrap(text, mcpJson, path).text;
    assert.match(after, /"command": "node",\r\n {6}"args": \["[^\r\n]+"--", "x"\]\r\n {4}\}/);
    const toml = fileOf('codex', 'config.toml');
    const codex = wrap('[mcp_servers.a]\n  command = "x" # c\n', toml, ['mcp_servers', 'a']).text;
    assert.match(codex, /^\[mcp_servers\.a\]\n {2}args = \[.+"--", "x"\]\n {2}command = "node" # c\n$/);
  });

  it('is undone after a formatter or new arguments, and after arguments were removed', () => {
    const text = '{"mcpServers":{"a":{"command":"npx","args":["-y"]}}}';
    const { text: after, wrapping } = wrap(text, mcpJson, path);
    const pretty = JSON.stringify(JSON.parse(after), null, 2);
    assert.deepEqual(JSON.parse(unwrap(pretty, mcpJson, path, wrapping)), JSON.parse(text));
    const more = after.replace('"-y"', '"-y", "more"');
    assert.equal(unwrap(more, mcpJson, path, wrapping), text.replace('"-y"', '"-y", "more"'));
    assert.equal(unwrap(after.replace('"-y"', ''), mcpJson, path, wrapping), text.replace('"-y"', ' '));
  });

  it('leaves entries alone whose words in front were changed by hand', () => {
    const { text, wrapping } = wrap('{"mcpServers":{"a":{"command":"npx","args":["-y"]}}}', mcpJson, path);
    for (const [changed, result] of [
      [text.replace('"npx"', '"bunx"'), 'changed'],
      [text.replace('"node"', '"bun"'), 'changed'],
      [text.replace('"--name"', '"--level","debug","--name"'), 'changed'],
      ['{"mcpServers":{"a":{"command":"npx"}}}', 'absent'],
      ['{}', 'absent'],
    ] as const) {
      assert.equal(unwrapped(changed, { file: mcpJson, path }, wrapping), result);
    }
  });

  it('leaves entries alone that have no command, or other arguments than words', () => {
    const commands = ['{"command":"x","args":"y"}', '{"command":"x","args":[["y"]]}'];
    for (const entry of ['{"url":"https://x.test"}', ...commands, '1']) {
      assert.equal(wrapped(`{"mcpServers":{"a":${entry}}}`, { file: mcpJson, path }, frontFor(path)), undefined);
    }
  });
});
