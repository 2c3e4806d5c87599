import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inEnglish } from '../../../src/text/translator';
import type { ConfiguredServer, ConfiguredServers } from '../../../src/mcpServers/configuredServers';
import { configuredServers } from '../../../src/mcpServers/configuredServers';

describe('the MCP servers in the settings of clients', () => {
  let base: string;
  let home: string;
  let folder: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'mcp-servers-'));
    home = join(base, 'home');
    folder = join(base, 'project');
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  function found(folders: readonly string[] = [folder]): Promise<ConfiguredServers> {
    const machine = { platform: process.platform, home, env: {}, editor: join(home, 'User') };
    return configuredServers({ machine, folders });
  }

  function lineOf({ client, name, scope, isEnabled, isWatched, start }: ConfiguredServer): string {
    const what = start.type === 'http' ? start.url : [start.command, ...start.args].join(' ');
    const marks = [isEnabled ? '' : ' off', isWatched ? ' watched' : ''].join('');
    return `${client.label} ${scope} ${name}: ${what}${marks}`;
  }

  it('are those of all clients, of the workspace and the user', async () => {
    const plain = (name: string): string =>
      JSON.stringify({ mcpServers: { [name]: { command: 'npx', args: ['-y', name] } } });
    await write(join(folder, '.vscode/mcp.json'), '{ // VS Code\n"servers": { "a": { "command": "npx", } } }');
    await write(join(home, 'User/mcp.json'), '{ "servers": { "b": { "type": "http", "url": "https://b.test/mcp" } } }');
    await write(join(folder, '.mcp.json'), plain('c'));
    const projects = { [folder]: { mcpServers: { e: { command: 'e' } } }, '/elsewhere': { mcpServers: { x: {} } } };
    await write(join(home, '.claude.json'), JSON.stringify({ mcpServers: { d: { command: 'd' } }, projects }));
    await write(
      join(folder, '.codex/config.toml'),
      '[mcp_servers."f.g"]\ncommand = \'f\'\nargs = [\n  "1", # one\n]\n',
    );
    await write(
      join(home, '.codex/config.toml'),
      'model = "m"\nmcp_servers.h = { command = "h", enabled = false }\n[mcp_servers.i]\nurl = "https://i.test"\n',
    );
    await write(
      join(home, '.gemini/settings.json'),
      JSON.stringify({
        mcp: { excluded: ['k'] },
        mcpServers: { j: { httpUrl: 'https://j.test' }, k: { command: 'k' } },
      }),
    );
    await write(join(folder, '.qwen/settings.json'), plain('l'));
    await write(
      join(folder, 'opencode.jsonc'),
      '{ "mcp": { "m": { "type": "local", "command": ["bun", "x"], "environment": { "A": "1" } }, "n": { "enabled": true } } }',
    );
    await write(
      join(home, '.config/opencode/opencode.json'),
      '{ "mcp": { "servers": { "o": { "type": "local", "command": ["o"], "disabled": true } } } }',
    );
    await write(join(home, '.cursor/mcp.json'), plain('p'));
    const old = { command: { path: 'q', args: ['1'], env: { B: '2' } } };
    await write(
      join(folder, '.zed/settings.json'),
      JSON.stringify({ context_servers: { q: old, r: { source: 'extension', settings: {} } } }),
    );
    await write(join(home, '.copilot/mcp-config.json'), plain('s'));
    const { servers, problems } = await found();
    assert.deepEqual(problems, []);
    assert.deepEqual(servers.map(lineOf), [
      'Claude Code workspace c: npx -y c',
      'Claude Code workspace e: e',
      'Claude Code user d: d',
      'Codex workspace f.g: f 1',
      'Codex user h: h off',
      'Codex user i: https://i.test',
      'Gemini CLI user j: https://j.test',
      'Gemini CLI user k: k off',
      'Qwen Code workspace l: npx -y l',
      'OpenCode workspace m: bun x',
      'OpenCode user o: o off',
      'Copilot CLI user s: npx -y s',
      'VS Code workspace a: npx',
      'VS Code user b: https://b.test/mcp',
      'Cursor user p: npx -y p',
      'Zed workspace q: q 1',
    ]);
    const envOf = (name: string): unknown => {
      const start = servers.find((server) => server.name === name)?.start;
      return start?.type === 'process' ? start.env : undefined;
    };
    assert.deepEqual([envOf('m'), envOf('q')], [{ A: '1' }, { B: '2' }]);
  });

  it('names a broken file and its line, and lists the others', async () => {
    await write(join(folder, '.mcp.json'), '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}');
    await write(join(folder, '.codex/config.toml'), '[mcp_servers.b]\ncommand = "b\n');
    await write(join(folder, '.cursor/mcp.json'), '{ "mcpServers": { "c": { "command": "c" } } }');
    const { servers, problems } = await found();
    assert.deepEqual(servers.map(lineOf), ['Cursor workspace c: c']);
    assert.deepEqual(
      problems.map(({ message }) => inEnglish(message)),
      [
        `${join(folder, '.mcp.json')} can't be read: line 3 isn't valid JSON.`,
        `${join(folder, '.codex/config.toml')} can't be read: line 2 isn't valid TOML.`,
      ],
    );
  });

  it('shows the command behind a tap', async () => {
    const tapped = ['/state/agent-logs.cjs', 'tap', '--name', 'a', '--protocol', 'mcp', '--', 'npx', '-y', 'a'];
    await write(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { a: { command: 'node', args: tapped } } }));
    const other = ['/x/dist/cli.js', 'tap', '--folder', '/j', '--', 'npx', '-y', 'b'];
    await write(
      join(folder, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: { b: { command: 'node', args: other } } }),
    );
    const { servers } = await found();
    assert.deepEqual(servers.map(lineOf), [
      'Claude Code workspace a: npx -y a watched',
      'Cursor workspace b: npx -y b watched',
    ]);
    assert.deepEqual(
      servers.map(({ tap }) => tap),
      [{ name: 'a' }, { name: 'npx', folder: '/j' }],
    );
  });

  it('ignores files without servers, entries of another form, and files that are not objects', async () => {
    await write(join(folder, '.mcp.json'), '[]');
    await write(
      join(folder, '.cursor/mcp.json'),
      '{ "mcpServers": { "a": 1, "b": { "command": 2 }, "c": { "args": [] } } }',
    );
    await write(join(folder, 'opencode.json'), '\ufeff{ "mcp": [] }');
    await write(join(folder, '.zed/settings.json'), '');
    assert.deepEqual(await found(), { servers: [], problems: [] });
  });
});
