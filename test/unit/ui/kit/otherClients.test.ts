import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentDefinitions } from '../../../../src/live/config/agentDefinition';
import * as clients from '../../../../src/mcpServers/otherClients';

describe('agents of other clients', () => {
  it('are read from Zed’s settings, with comments, in the current and the old format', () => {
    const text = `// Zed
      {
        "agent_servers": {
          "OpenCode": { "type": "custom", "command": "opencode", "args": ["acp"], "env": {}, "default_mode": "x" },
          "Old": { "command": { "path": "/opt/old", "args": ["--acp"], "env": { "A": "b" } } },
          "claude-acp": { "type": "registry", "default_model": "x" }, // Zed gets it for itself
        },
      }`;
    assert.deepEqual(clients.agentsIn(text, 'Zed'), [
      { name: 'OpenCode', source: 'Zed', entry: { command: 'opencode', args: ['acp'] } },
      { name: 'Old', source: 'Zed', entry: { command: '/opt/old', args: ['--acp'], env: { A: 'b' } } },
    ]);
  });

  it('are read from acp.agents of other extensions, by name or in a list', () => {
    const entry = { command: 'goose', args: ['acp'] };
    const source = 'acp.agents';
    assert.deepEqual(clients.agentsOf({ Goose: entry }, source), [{ name: 'Goose', source, entry }]);
    const list = [{ name: 'Goose', command: 'goose', cwd: '/x' }, { command: 'nameless' }, null, 'text'];
    assert.deepEqual(clients.agentsOf(list, source), [
      { name: 'Goose', source, entry: { command: 'goose', cwd: '/x' } },
    ]);
  });

  it('are valid in agentLogs.agents', () => {
    const [found] = clients.agentsOf({ A: { command: 'a', args: ['b'], env: { C: 'd' }, cwd: 'e' } }, 'x');
    const { agents, problems } = agentDefinitions({ A: found?.entry });
    assert.deepEqual([agents.length, problems.length], [1, 0]);
  });

  it('are empty if a file holds anything else', () => {
    for (const text of ['', 'null', '[]', '{"agent_servers": 1}', '{"agent_servers": {"a": "b"}}', '['.repeat(1e5)]) {
      assert.deepEqual(clients.agentsIn(text, 'Zed'), []);
    }
    assert.deepEqual(clients.agentsIn('{"agent_servers": {"__proto__": {"command": "x"}}}', 'Zed'), []);
    assert.equal(clients.agentsOf(Array(1000).fill({ name: 'a', command: 'b' }), 'x').length, 100);
  });

  it('are read from the clients’ own locations', () => {
    const paths = (platform: string, env: Record<string, string>, home: string) =>
      clients.clientFiles({ platform, env, home }).map(({ path }) => path);
    assert.deepEqual(paths('linux', {}, '/h'), ['/h/.config/zed/settings.json', '/h/.jetbrains/acp.json']);
    assert.equal(paths('linux', { XDG_CONFIG_HOME: '/x' }, '/h')[0], '/x/zed/settings.json');
    assert.equal(paths('darwin', { XDG_CONFIG_HOME: '/x' }, '/h')[0], '/h/.config/zed/settings.json');
    const windows = ['C:\\R\\Zed\\settings.json', 'C:\\h\\.jetbrains\\acp.json'];
    assert.deepEqual(paths('win32', { APPDATA: 'C:\\R' }, 'C:\\h'), windows);
    assert.equal(paths('win32', {}, 'C:\\h')[0], 'C:\\h\\AppData\\Roaming\\Zed\\settings.json');
  });

  describe('on disk', () => {
    let home: string;
    before(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-clients-'))));
    after(() => rmSync(home, { recursive: true }));

    it('are found if the file exists and isn’t too large', async () => {
      const machine = { platform: 'linux', env: {}, home };
      assert.deepEqual(await clients.agentsOfClients(machine), []);
      mkdirSync(join(home, '.jetbrains'));
      const text = '{ "agent_servers": { "A": { "command": "a" } } }';
      writeFileSync(join(home, '.jetbrains', 'acp.json'), text);
      assert.deepEqual(await clients.agentsOfClients(machine), [
        { name: 'A', source: 'JetBrains', entry: { command: 'a' } },
      ]);
      writeFileSync(join(home, '.jetbrains', 'acp.json'), text + ' '.repeat(1024 * 1024));
      assert.deepEqual(await clients.agentsOfClients(machine), []);
    });

    it('are found among the MCP servers of the workspace, without a tap in front of them', async () => {
      const folder = join(home, 'shop');
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      const tap = ['/x/agent-logs.cjs', 'tap', '--name', 'notes', '--'];
      const web = { url: 'http://127.0.0.1:1/mcp', headers: {} };
      const servers = { notes: { command: 'node', args: [...tap, 'notes', '-v'] }, web };
      writeFileSync(join(folder, '.vscode', 'mcp.json'), `{ "servers": ${JSON.stringify(servers)}, /* none */ }`);
      writeFileSync(join(folder, '.mcp.json'), '{ "mcpServers": { "files": { "command": "files", "cwd": "/data" } } }');
      writeFileSync(join(folder, 'package.json'), '{}');
      const machine = { platform: process.platform, env: {}, home };
      const found = await clients.workspaceServers([{ name: 'shop', path: folder }], machine);
      const [files, notes, url] = ['files', 'notes', 'web'].map((name) => found.find((server) => server.name === name));
      const untapped = { protocol: 'mcp', command: 'notes', args: ['-v'] };
      assert.deepEqual(notes, { name: 'notes', source: '.vscode/mcp.json', entry: untapped });
      assert.deepEqual(url?.entry, { protocol: 'mcp', url: 'http://127.0.0.1:1/mcp' });
      assert.deepEqual(files?.entry, { protocol: 'mcp', command: 'files', cwd: '/data' });
    });
  });
});
