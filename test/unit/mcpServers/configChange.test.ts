import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HumanError } from '../../../src/text/humanError';
import * as changing from '../../../src/mcpServers/configChange';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import { WatchMemory } from '../../../src/mcpServers/watchMemory';
import { column } from '../../support/columns';
import { itOnPosix } from '../../support/platform';
import { useFolder } from '../../support/tempFolder';

const { startWatching } = changing;

describe('watching MCP servers', () => {
  const base = useFolder();
  let json: string;
  let toml: string;
  let memory: WatchMemory;

  const jsonText =
    '\ufeff{\r\n  "mcpServers": {\r\n    "a": { "command": "npx", "args": ["-y"], "env": { "TOKEN": "gh-0123456789abcdef" } }, // a\r\n    "b": { "command": "b" }\r\n  }\r\n}';
  const tomlText =
    '[mcp_servers]\nc = { command = \'c\' }\n\n[mcp_servers."d e"] # d\ncommand = "d" # e\nargs = [\n  "1",\n]\n';

  beforeEach(async () => {
    json = base.in('project/.mcp.json');
    toml = base.in('project/.codex/config.toml');
    memory = newMemory();
    await mkdir(dirname(toml), { recursive: true });
    await writeFile(json, jsonText, { mode: 0o600 });
    await writeFile(toml, tomlText);
  });

  const newMemory = () => new WatchMemory(base.in('state/taps'));
  const remembered = async () => (await memory.all()).map(({ path }) => path.at(-1));

  async function servers() {
    const machine = { platform: process.platform, home: base.in('home'), env: {} };
    const { servers: found, problems } = await configuredServers({ machine, folders: [base.in('project')] });
    assert.deepEqual(problems, []);
    return found;
  }

  async function watched(): Promise<readonly string[]> {
    const all = await servers();
    return all.flatMap(({ isWatched, name }) => (isWatched ? name : []));
  }

  const planned = async () => changing.watchChanges(await servers(), '/state/agent-logs.cjs');

  async function watch() {
    const changes = await planned();
    for (const change of changes) await startWatching(change, memory);
    return changes;
  }

  /** @returns the names of the conflicts */
  async function stop(from = memory): Promise<readonly string[]> {
    const { changes, conflicts } = await changing.stopChanges(await servers(), from);
    for (const change of changes) await changing.stopWatching(change, from);
    return column(conflicts, 'name');
  }

  it('changes each file once, and restores every byte, also in another window', async () => {
    const changed = (await watch()).flatMap(({ file, servers: own }) => [file, ...own.map(({ path }) => path.at(-1))]);
    assert.deepEqual(changed, [json, 'a', 'b', toml, 'c', 'd e']);
    assert.deepEqual(await watched(), ['a', 'b', 'c', 'd e']);
    assert.deepEqual(await watch(), []);
    assert.equal((await memory.all()).length, 4);
    assert.deepEqual(await stop(newMemory()), []);
    assert.equal(await readFile(json, 'utf8'), jsonText);
    assert.equal(await readFile(toml, 'utf8'), tomlText);
    assert.deepEqual(await memory.all(), []);
  });

  it('starts the same commands if what was there is forgotten', async () => {
    await watch();
    await memory.remove(await memory.all());
    const starts = async () => (await servers()).map(({ name, start }) => [name, start]);
    const before = await starts();
    assert.deepEqual(await stop(), []);
    assert.deepEqual(await watched(), []);
    assert.deepEqual(await starts(), before);
  });

  it('leaves no empty arguments if what was there is forgotten', async () => {
    const spread =
      '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    },\n    "c": { "command": "c", "cwd": "/" }\n  }\n}\n';
    const tables = "[mcp_servers]\nc = { command = 'c' }\nf.command = 'f'\n[mcp_servers.e]\n  command = 'e'\n";
    for (const [file, text] of [[json, spread] as const, [toml, tables] as const]) {
      await rm(file === json ? toml : json, { force: true });
      await writeFile(file, text);
      await watch();
      await memory.remove(await memory.all());
      await stop();
      assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  it('restores every byte of a server that was renamed since', async () => {
    const empty = '{ "mcpServers": { "a": { "command": "a", "args": [] }, "b": { "command": "b" } } }';
    await writeFile(json, empty);
    await watch();
    const rename = (text: string): string => text.replace('"a": {', '"x": {').replace('"b": {', '"y": {');
    await writeFile(json, rename(await readFile(json, 'utf8')));
    await changing.forgetGone(await servers(), [], memory);
    assert.equal((await memory.all()).length, 4);
    assert.deepEqual(await stop(), []);
    assert.equal(await readFile(json, 'utf8'), rename(empty));
    assert.deepEqual(await memory.all(), []);
  });

  it('forgets servers that were restored by hand', async () => {
    await watch();
    await writeFile(json, jsonText);
    await changing.forgetGone(await servers(), [toml], memory);
    assert.deepEqual(await remembered(), ['c', 'd e']);
  });

  it('remembers all servers that several windows watch at once', async () => {
    await Promise.all((await planned()).map((change) => startWatching(change, newMemory())));
    assert.equal((await memory.all()).length, 4);
    await Promise.all((await memory.all()).map((one) => newMemory().remove([one])));
    assert.deepEqual(await memory.all(), []);
    assert.deepEqual(await readdir(base.in('state')), []);
  });

  it('makes only one of two changes of the same file at once', async () => {
    const [change = assert.fail()] = await planned();
    const results = await Promise.allSettled([startWatching(change, memory), startWatching(change, memory)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await memory.all()).length, 2);
    assert.equal(await readFile(json, 'utf8'), change.after);
  });

  it('has secrets redacted by name, and remembers none', async () => {
    await watch();
    assert.match(await readFile(json, 'utf8'), /"--secret-env", "TOKEN"/);
    assert.ok(!JSON.stringify(await memory.all()).includes('gh-0123'));
  });

  it('leaves an entry that was changed by hand, and restores the others', async () => {
    await watch();
    await writeFile(toml, (await readFile(toml, 'utf8')).replace('"--protocol"', '"--level", "debug", "--protocol"'));
    assert.deepEqual(await stop(), ['c']);
    assert.deepEqual(await watched(), ['c']);
    assert.equal(await readFile(json, 'utf8'), jsonText);
  });

  it('writes nothing over a file that changed since it was shown', async () => {
    const [change = assert.fail()] = await planned();
    await writeFile(json, `${jsonText}\n`);
    await assert.rejects(startWatching(change, memory), HumanError);
    assert.equal(await readFile(json, 'utf8'), `${jsonText}\n`);
    assert.deepEqual(await memory.all(), []);
  });

  itOnPosix('keeps the mode of a file, and writes through links', async () => {
    const real = base.in('dotfiles.json');
    await writeFile(real, jsonText, { mode: 0o640 });
    await rm(json);
    await symlink(real, json);
    await watch();
    assert.ok((await lstat(json)).isSymbolicLink());
    assert.match(await readFile(real, 'utf8'), /agent-logs\.cjs/);
    assert.equal((await stat(real)).mode & 0o777, 0o640);
    await stop();
    assert.equal(await readFile(real, 'utf8'), jsonText);
  });

  itOnPosix('uses the Node.js beside a program with an absolute path', async () => {
    await mkdir(base.in('bin'));
    await writeFile(base.in('bin/node'), '');
    await writeFile(json, JSON.stringify({ mcpServers: { a: { command: base.in('bin/npx') } } }));
    await watch();
    assert.match(await readFile(json, 'utf8'), new RegExp(`"command":"${base.path}/bin/node"`));
  });
});
