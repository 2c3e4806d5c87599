import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inEnglish } from '../../../src/text/translator';
import type { ConfiguredServer } from '../../../src/mcpServers/configuredServers';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import { column } from '../../support/columns';
import { useFolder } from '../../support/tempFolder';

describe('the MCP servers in the settings of clients', () => {
  const base = useFolder();

  /** The servers of a project and of the user, whose settings are in these files. */
  function found(files: Readonly<Record<string, string | object>>) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(base.in(name)), { recursive: true });
      writeFileSync(base.in(name), typeof text === 'string' ? text : JSON.stringify(text));
    }
    const machine = { platform: process.platform, home: base.in('home'), env: {}, editor: base.in('home/User') };
    return configuredServers({ machine, folders: [base.in('project')] });
  }

  function lineOf({ client, name, scope, isEnabled, isWatched, start }: ConfiguredServer): string {
    const what = start.type === 'http' ? start.url : [start.command, ...start.args].join(' ');
    const marks = [isEnabled ? '' : ' off', isWatched ? ' watched' : ''].join('');
    return `${client.label} ${scope} ${name}: ${what}${marks}`;
  }

  it('are those of all clients, of the workspace and the user', async () => {
    const plain = (name: string): object => ({ mcpServers: { [name]: { command: 'npx', args: ['-y', name] } } });
    const projects = {
      [base.in('project')]: { mcpServers: { e: { command: 'e' } } },
      '/elsewhere': { mcpServers: { x: {} } },
    };
    const j = { httpUrl: 'https://j.test' };
    const m = { type: 'local', command: ['bun', 'x'], environment: { A: '1' } };
    const o = { type: 'local', command: ['o'], disabled: true };
    const q = { command: { path: 'q', args: ['1'], env: { B: '2' } } };
    const { servers, problems } = await found({
      'project/.vscode/mcp.json': '{ // VS Code\n"servers": { "a": { "command": "npx", } } }',
      'home/User/mcp.json': { servers: { b: { type: 'http', url: 'https://b.test/mcp' } } },
      'project/.mcp.json': plain('c'),
      'home/.claude.json': { mcpServers: { d: { command: 'd' } }, projects },
      'project/.codex/config.toml': '[mcp_servers."f.g"]\ncommand = \'f\'\nargs = [\n  "1", # one\n]\n',
      'home/.codex/config.toml':
        'model = "m"\nmcp_servers.h = { command = "h", enabled = false }\n[mcp_servers.i]\nurl = "https://i.test"\n',
      'home/.gemini/settings.json': { mcp: { excluded: ['k'] }, mcpServers: { j, k: { command: 'k' } } },
      'project/.qwen/settings.json': plain('l'),
      'project/opencode.jsonc': { mcp: { m, n: { enabled: true } } },
      'home/.config/opencode/opencode.json': { mcp: { servers: { o } } },
      'home/.cursor/mcp.json': plain('p'),
      'project/.zed/settings.json': { context_servers: { q, r: { source: 'extension', settings: {} } } },
      'home/.copilot/mcp-config.json': plain('s'),
    });
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
    const { servers, problems } = await found({
      'project/.mcp.json': '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}',
      'project/.codex/config.toml': '[mcp_servers.b]\ncommand = "b\n',
      'project/.cursor/mcp.json': { mcpServers: { c: { command: 'c' } } },
    });
    assert.deepEqual(servers.map(lineOf), ['Cursor workspace c: c']);
    assert.deepEqual(column(problems, 'message').map(inEnglish), [
      `${base.in('project/.mcp.json')} can't be read: line 3 isn't valid JSON.`,
      `${base.in('project/.codex/config.toml')} can't be read: line 2 isn't valid TOML.`,
    ]);
  });

  it('shows the command behind a tap', async () => {
    const tapped = ['/state/agent-logs.cjs', 'tap', '--name', 'a', '--protocol', 'mcp', '--', 'npx', '-y', 'a'];
    const other = ['/x/dist/cli.js', 'tap', '--folder', '/j', '--', 'npx', '-y', 'b'];
    const { servers } = await found({
      'project/.mcp.json': { mcpServers: { a: { command: 'node', args: tapped } } },
      'project/.cursor/mcp.json': { mcpServers: { b: { command: 'node', args: other } } },
    });
    const [a, b] = ['Claude Code workspace a: npx -y a watched', 'Cursor workspace b: npx -y b watched'];
    assert.deepEqual(servers.map(lineOf), [a, b]);
    assert.deepEqual(column(servers, 'tap'), [{ name: 'a' }, { name: 'npx', folder: '/j' }]);
  });

  it('ignores files without servers, entries of another form, and files that are not objects', async () => {
    const files = {
      'project/.mcp.json': '[]',
      'project/.cursor/mcp.json': { mcpServers: { a: 1, b: { command: 2 }, c: { args: [] } } },
      'project/opencode.json': '\ufeff{ "mcp": [] }',
      'project/.zed/settings.json': '',
    };
    assert.deepEqual(await found(files), { servers: [], problems: [] });
  });
});
