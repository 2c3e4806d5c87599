import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { withServer } from '../../../src/mcpServers/addedServer';
import type { AgentId } from '../../../src/agents/agents';
import { addChange, makeChange, undoChange } from '../../../src/mcpServers/configChange';
import type { ConfigFile } from '../../../src/mcpServers/configFiles';
import { configFiles } from '../../../src/mcpServers/configFiles';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import { nodeAt, valueOf } from '../../../src/mcpServers/configNode';
import { parseConfig } from '../../../src/mcpServers/parseConfig';
import { HumanError } from '../../../src/text/humanError';
import { holds } from '../../support/property';
import { useFolder } from '../../support/tempFolder';
import { knownFiles, writtenConfig } from './configTexts';

const server = { name: 'agent-logs', words: ['node', 'C:\\state\\agent "logs".cjs', 'mcp'] };

describe('adding an MCP server to settings', () => {
  const base = useFolder();
  let config: ConfigFile;
  beforeEach(() => (config = fileOf('claude')));
  const content = () => readFile(config.path, 'utf8');

  it('makes a file of each client that the client can read', async () => {
    const machine = { platform: process.platform, home: base.path, env: {}, editor: base.in('User') };
    const places = { machine, folders: [base.in('project')] };
    const files = configFiles(places);
    assert.ok(files.length > 12);
    for (config of files) {
      const change = await planned();
      assert.equal(change.before, '');
      await makeChange(change);
      const { servers, problems } = await configuredServers(places);
      assert.deepEqual(problems, []);
      const [command, ...args] = server.words;
      const added = servers.filter(({ file }) => file === config.path).map(({ name, start }) => [name, start]);
      assert.deepEqual(added, [['agent-logs', { type: 'process', command, args, env: {} }]], config.path);
      if (process.platform !== 'win32') assert.equal((await stat(config.path)).mode & 0o777, 0o600);
      assert.equal(await addChange(config, server), undefined, 'it is there already');
      await assert.rejects(addChange(config, { ...server, words: ['other'] }), /with other settings. Remove it there/);
      await undoChange(change);
      assert.ok(!existsSync(config.path));
    }
  });

  for (const client of [...new Set(knownFiles.map((file) => file.client.id))]) {
    holds(
      `changes nothing else, whatever is there: ${client}`,
      60,
      fc.property(writtenConfig(client), ({ file, text, servers }) => {
        const after = withServer(text, file, server);
        assert.ok(after !== undefined);
        let [start, end] = [0, 0];
        while (start < text.length && text[start] === after[start]) start++;
        while (end < text.length - start && text.at(-1 - end) === after.at(-1 - end)) end++;
        assert.equal(start + end, text.length, `${text}\n---\n${after}`);
        const [before, now] = [parseConfig(text, file), parseConfig(after, file)];
        for (const { path } of servers) assert.deepEqual(valueOf(nodeAt(now, path)), valueOf(nodeAt(before, path)));
      }),
    );
  }

  it('refuses what it can’t read, and a file that changed meanwhile', async () => {
    for (const [text, message] of [
      ['{ "mcpServers": {', /line 1 isn't valid JSON/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /can't be read: The encoded data/],
    ] as const) {
      await writeFile(config.path, text);
      await assert.rejects(addChange(config, server), { constructor: HumanError, message });
      assert.deepEqual(await readFile(config.path), Buffer.from(text));
    }
    await writeFile(config.path, '{}');
    const change = await planned();
    await writeFile(config.path, '{ }');
    await assert.rejects(makeChange(change), /changed in the meantime/);
    assert.equal(await content(), '{ }');
    await rm(config.path);
    await mkdir(config.path);
    await assert.rejects(addChange(config, server), /can't be read: EISDIR/);
  });

  it('is undone to the byte, unless the file was changed since', async () => {
    const text = '{\r\n\t// ours\r\n}\r\n';
    await writeFile(config.path, text);
    const change = await planned();
    await makeChange(change);
    assert.equal(await content(), change.after);
    await undoChange(change);
    assert.equal(await content(), text);
    await makeChange(change);
    await writeFile(config.path, `${change.after}\n`);
    await assert.rejects(undoChange(change), /changed in the meantime/);
    assert.equal(await content(), `${change.after}\n`);
  });

  it('writes neither over a file that is read-only nor over a link to nothing', async () => {
    await writeFile(config.path, '{}', { mode: 0o444 });
    await assert.rejects(makeChange(await planned()), /read-only. Make it writable/);
    assert.equal(await content(), '{}');
    if (process.platform === 'win32') return;
    await rm(config.path);
    await symlink(base.in('later.json'), config.path);
    await assert.rejects(addChange(config, server), /links to a file that doesn't exist/);
    await writeFile(base.in('later.json'), '{}');
    const change = await planned();
    await makeChange(change);
    assert.ok((await lstat(config.path)).isSymbolicLink());
    assert.equal(await readFile(base.in('later.json'), 'utf8'), change.after);
  });

  it('keeps comments, empty lines and line ends of files without servers', () => {
    const entry = '"mcpServers": {"agent-logs":{"command":"a","args":[]}}';
    const spread = JSON.stringify(JSON.parse(`{${entry}}`), undefined, 2).slice(2, -2);
    for (const [before, after] of [
      ['// note', `// note\n{\n${spread}\n}\n`],
      ['// note\n', `// note\n{\n${spread}\n}\n`],
      ['\ufeff', `\ufeff{\n${spread}\n}\n`],
      ['{}', `{\n${spread}\n}`],
      ['{\n}\n', `{\n${spread}\n}\n`],
      ['{\n  // note\n}\n', `{\n${spread}\n  // note\n}\n`],
      ['{\r\n}\r\n', `{\n${spread}\n}\n`.replaceAll('\n', '\r\n')],
      ['{"a": 1,}', `{${entry},"a": 1,}`],
    ] as const) {
      assert.equal(withServer(before, config, { name: 'agent-logs', words: ['a'] }), after, before);
    }
  });

  it('says if lists of the file keep it from starting', () => {
    const gemini = fileOf('gemini');
    for (const mcp of [{ allowed: ['memory'] }, { excluded: ['agent-logs'] }]) {
      const text = JSON.stringify({ mcp });
      assert.throws(() => withServer(text, gemini, server), /Change mcp.allowed, mcp.excluded there/);
    }
    assert.ok(withServer('{ "mcp": { "allowed": ["agent-logs"] } }', gemini, server));
  });

  function fileOf(id: AgentId): ConfigFile {
    const machine = { platform: process.platform, home: base.path, env: {} };
    return configFiles({ machine, folders: [base.path] }).find(({ client }) => client.id === id) ?? assert.fail(id);
  }

  async function planned() {
    return (await addChange(config, server)) ?? assert.fail('no change');
  }

  it('leaves servers in a form that can’t be added to', () => {
    for (const text of ['mcp_servers = { a = { command = "a" } }\n', 'mcp_servers = {}', 'mcp_servers = 3']) {
      assert.throws(() => withServer(text, fileOf('codex'), server), /Add this one by hand: node .* mcp$/);
    }
    for (const text of ['[]', 'null', '{"mcpServers": null}', '{"mcpServers": []}']) {
      assert.throws(() => withServer(text, config, server), /Add this one by hand/);
    }
  });
});
