import assert from 'node:assert/strict';
import { ofFolder } from '../../../../src/mcpServers/otherClients';

describe('an MCP server of one of several folders', () => {
  const found = { name: 'files', source: '.vscode/mcp.json' };

  it('shows its folder, and runs in it', () => {
    const entry = { protocol: 'mcp', command: 'files', args: ['--root', '${workspaceFolder}/data'] };
    const there = { args: ['--root', '${workspaceFolder:shop}/data'], cwd: '${workspaceFolder:shop}' };
    const shown = { name: 'files', source: 'shop/.vscode/mcp.json', entry: { ...entry, ...there } };
    assert.deepEqual(ofFolder({ ...found, entry }, 'shop'), shown);
  });

  it('keeps its own working folder, and has none if it is remote', () => {
    const own = { command: 'files', cwd: '/data' };
    assert.deepEqual(ofFolder({ ...found, entry: own }, 'shop').entry, own);
    const remote = { protocol: 'mcp', url: 'http://127.0.0.1:1/mcp' };
    assert.deepEqual(ofFolder({ ...found, entry: remote }, 'a "quoted" one').entry, remote);
    const quoted = { command: '${workspaceFolder}/x', cwd: '/' };
    const { command } = ofFolder({ ...found, entry: quoted }, 'a "quoted" one').entry;
    assert.equal(command, '${workspaceFolder:a "quoted" one}/x');
  });
});
