import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withServer } from '../../../src/mcpServers/addedServer';
import { addChange, makeChange } from '../../../src/mcpServers/configChange';
import { configFiles } from '../../../src/mcpServers/configFiles';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import { nodeAt, valueOf } from '../../../src/mcpServers/configNode';
import { parseConfig } from '../../../src/mcpServers/parseConfig';
import { holds } from '../../support/property';
import { knownFiles, writtenConfig } from './configTexts';

const server = { name: 'agent-logs', words: ['node', 'C:\\state\\agent "logs".cjs', 'mcp'] };

describe('adding an MCP server to settings', () => {
  let base: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'adding-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('makes a file of each client that the client can read', async () => {
    const machine = { platform: process.platform, home: base, env: {}, editor: join(base, 'User') };
    const places = { machine, folders: [join(base, 'project')] };
    const files = configFiles(places);
    assert.ok(files.length > 12);
    for (const config of files) {
      const change = await addChange(config, server);
      assert.equal(change.before, '');
      await makeChange(change);
      const { servers, problems } = await configuredServers(places);
      assert.deepEqual(problems, []);
      const [added, ...rest] = servers.filter(({ file }) => file === config.path);
      assert.ok(added && rest.length === 0, config.path);
      const [command, ...args] = server.words;
      assert.deepEqual(
        [added.name, added.start],
        ['agent-logs', { type: 'process', command, args, env: {} }],
        config.path,
      );
      if (process.platform !== 'win32') assert.equal((await stat(config.path)).mode & 0o777, 0o600);
      await assert.rejects(addChange(config, server), /already has a server agent-logs/);
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
    const [config] = configFiles({ machine: { platform: process.platform, home: base, env: {} }, folders: [base] });
    assert.ok(config);
    await writeFile(config.path, '{ "mcpServers": {');
    await assert.rejects(addChange(config, server), /line 1 isn't valid JSON/);
    await writeFile(config.path, '{}');
    const change = await addChange(config, server);
    await writeFile(config.path, '{ }');
    await assert.rejects(makeChange(change), /changed in the meantime/);
    assert.equal(await readFile(config.path, 'utf8'), '{ }');
  });

  it('leaves servers in a form that can’t be added to', () => {
    const codex = configFiles({ machine: { platform: 'linux', home: base, env: {} }, folders: [] }).find(
      ({ form }) => form.syntax === 'toml',
    );
    assert.ok(codex);
    assert.throws(
      () => withServer('mcp_servers = { a = { command = "a" } }\n', codex, server),
      /Add the server by hand/,
    );
  });
});
