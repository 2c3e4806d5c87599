import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HumanError } from '../../../src/text/humanError';
import type { ConfigChange } from '../../../src/mcpServers/configChange';
import {
  forgetGone,
  startWatching,
  stopChanges,
  stopWatching,
  watchChanges,
} from '../../../src/mcpServers/configChange';
import type { ConfiguredServer } from '../../../src/mcpServers/configuredServers';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import { WatchMemory } from '../../../src/mcpServers/watchMemory';

describe('watching MCP servers', () => {
  let base: string;
  let folder: string;
  let json: string;
  let toml: string;
  let memory: WatchMemory;

  const jsonText =
    '\ufeff{\r\n  "mcpServers": {\r\n    "a": { "command": "npx", "args": ["-y"], "env": { "TOKEN": "gh-0123456789abcdef" } }, // a\r\n    "b": { "command": "b" }\r\n  }\r\n}';
  const tomlText =
    '[mcp_servers]\nc = { command = \'c\' }\n\n[mcp_servers."d e"] # d\ncommand = "d" # e\nargs = [\n  "1",\n]\n';

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'watching-'));
    folder = join(base, 'project');
    json = join(folder, '.mcp.json');
    toml = join(folder, '.codex/config.toml');
    memory = new WatchMemory(join(base, 'state', 'taps'));
    await mkdir(dirname(toml), { recursive: true });
    await writeFile(json, jsonText, { mode: 0o600 });
    await writeFile(toml, tomlText);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function servers(): Promise<readonly ConfiguredServer[]> {
    const machine = { platform: process.platform, home: join(base, 'home'), env: {} };
    const { servers: found, problems } = await configuredServers({ machine, folders: [folder] });
    assert.deepEqual(problems, []);
    return found;
  }

  async function watched(): Promise<readonly string[]> {
    return (await servers()).filter(({ isWatched }) => isWatched).map(({ name }) => name);
  }

  async function watch(): Promise<readonly ConfigChange[]> {
    const changes = await watchChanges(await servers(), '/state/agent-logs.cjs');
    for (const change of changes) await startWatching(change, memory);
    return changes;
  }

  /** @returns the names of the conflicts */
  async function stop(from = memory): Promise<readonly string[]> {
    const { changes, conflicts } = await stopChanges(await servers(), from);
    for (const change of changes) await stopWatching(change, from);
    return conflicts.map(({ name }) => name);
  }

  it('changes each file once, and restores every byte, also in another window', async () => {
    const changes = await watch();
    assert.deepEqual(
      changes.map((change) => [change.file, change.servers.map(({ path }) => path.at(-1))]),
      [
        [json, ['a', 'b']],
        [toml, ['c', 'd e']],
      ],
    );
    assert.deepEqual(await watched(), ['a', 'b', 'c', 'd e']);
    assert.deepEqual(await watch(), []);
    assert.equal((await memory.all()).length, 4);
    assert.deepEqual(await stop(new WatchMemory(join(base, 'state', 'taps'))), []);
    assert.equal(await readFile(json, 'utf8'), jsonText);
    assert.equal(await readFile(toml, 'utf8'), tomlText);
    assert.deepEqual(await memory.all(), []);
  });

  it('starts the same commands if what was there is forgotten', async () => {
    await watch();
    await memory.remove(await memory.all());
    const before = (await servers()).map(({ name, start }) => [name, start]);
    assert.deepEqual(await stop(), []);
    assert.deepEqual(await watched(), []);
    assert.deepEqual(
      (await servers()).map(({ name, start }) => [name, start]),
      before,
    );
  });

  it('leaves no empty arguments if what was there is forgotten', async () => {
    for (const [file, text] of [
      [
        json,
        '{\n  "mcpServers": {\n    "b": {\n      "command": "b"\n    },\n    "c": { "command": "c", "cwd": "/" }\n  }\n}\n',
      ],
      [toml, "[mcp_servers]\nc = { command = 'c' }\nf.command = 'f'\n[mcp_servers.e]\n  command = 'e'\n"],
    ] as const) {
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
    await forgetGone(await servers(), [], memory);
    assert.equal((await memory.all()).length, 4);
    assert.deepEqual(await stop(), []);
    assert.equal(await readFile(json, 'utf8'), rename(empty));
    assert.deepEqual(await memory.all(), []);
  });

  it('forgets servers that were restored by hand', async () => {
    await watch();
    await writeFile(json, jsonText);
    await forgetGone(await servers(), [toml], memory);
    assert.deepEqual(
      (await memory.all()).map(({ path }) => path.at(-1)),
      ['c', 'd e'],
    );
  });

  it('remembers all servers that several windows watch at once', async () => {
    const changes = await watchChanges(await servers(), '/state/agent-logs.cjs');
    const windows = changes.map(() => new WatchMemory(join(base, 'state', 'taps')));
    await Promise.all(changes.map((change, index) => startWatching(change, windows[index] ?? memory)));
    assert.equal((await memory.all()).length, 4);
    await Promise.all((await memory.all()).map((one) => new WatchMemory(join(base, 'state', 'taps')).remove([one])));
    assert.deepEqual(await memory.all(), []);
    assert.deepEqual(await readdir(join(base, 'state')), []);
  });

  it('makes only one of two changes of the same file at once', async () => {
    const [change] = await watchChanges(await servers(), '/state/agent-logs.cjs');
    assert.ok(change);
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
    const [change] = await watchChanges(await servers(), '/state/agent-logs.cjs');
    assert.ok(change);
    await writeFile(json, `${jsonText}\n`);
    await assert.rejects(startWatching(change, memory), HumanError);
    assert.equal(await readFile(json, 'utf8'), `${jsonText}\n`);
    assert.deepEqual(await memory.all(), []);
  });

  it('refuses a file that is not UTF-8', async () => {
    const [change] = await watchChanges(await servers(), '/state/agent-logs.cjs');
    assert.ok(change);
    await writeFile(json, Buffer.from([0x7b, 0xff, 0x7d]));
    await assert.rejects(startWatching(change, memory));
  });

  if (process.platform !== 'win32') {
    it('keeps the mode of a file, and writes through links', async () => {
      const real = join(base, 'dotfiles.json');
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

    it('uses the Node.js beside a program with an absolute path', async () => {
      await mkdir(join(base, 'bin'));
      await writeFile(join(base, 'bin/node'), '');
      await writeFile(json, JSON.stringify({ mcpServers: { a: { command: join(base, 'bin/npx') } } }));
      await watch();
      assert.match(await readFile(json, 'utf8'), new RegExp(`"command":"${base}/bin/node"`));
    });
  }
});
