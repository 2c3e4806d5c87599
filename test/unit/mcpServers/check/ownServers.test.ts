import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { agentDefinitions } from '../../../../src/live/config/agentDefinition';
import { checkTargets } from '../../../../src/mcpServers/check/checkTarget';
import { ownServers } from '../../../../src/mcpServers/check/ownServers';

describe('the MCP servers of the settings', () => {
  const values = { env: {}, userHome: '/home/dev', workspaceFolder: '/work' };
  const found = (setting: unknown) => {
    const { agents } = agentDefinitions(setting);
    return ownServers(agents, () => ({ ...values, env: { PATH: '/bin', KEY: 'k' } }));
  };

  it('are checked as they would be started, agents are not', () => {
    const env = { TOKEN: '${env:KEY}', GONE: null };
    const [notes, remote, ...others] = found({
      Agent: { command: 'agent' },
      Notes: { protocol: 'mcp', command: 'notes', args: ['${workspaceFolder}/db'], env, cwd: 'sub' },
      Remote: { protocol: 'mcp', url: 'https://example.com/mcp', headers: { 'x-key': '${env:KEY}' } },
      Recording: { replay: 'run.ndjson' },
      Mistaken: { protocol: 'mcp', command: '${unknown:variable}' },
    });
    assert.deepEqual(others, []);
    const clients = [{ id: 'agent-logs', label: 'Agent Logs' }];
    const about = { name: 'Notes', label: 'Notes', clients, file: 'agentLogs.agents', asksUser: false };
    const process = { type: 'process', command: 'notes', args: ['/work/db'], env: { TOKEN: 'k' } };
    assert.deepEqual(notes, { ...about, start: process, cwd: resolve('/work/sub') });
    const start = { type: 'http', transport: 'http', url: 'https://example.com/mcp', headers: { 'x-key': 'k' } };
    assert.deepEqual(remote?.start, start);
  });

  it('are not started if the user has to enter a value', () => {
    const [server] = found({ Notes: { protocol: 'mcp', command: 'notes', args: ['${input:key}'], env: { KEY: 'k' } } });
    assert.equal(server?.asksUser, true);
    assert.deepEqual(server.start, { type: 'process', command: 'notes', args: ['${input:key}'], env: {} });
  });

  it('are checked by name, and once if a client has the same', () => {
    const own = found({ Notes: { protocol: 'mcp', command: 'notes' }, Other: { protocol: 'mcp', command: 'other' } });
    const named = (...names: string[]): readonly string[] =>
      checkTargets([], names, values, own).map(({ name }) => name);
    assert.deepEqual(named(), ['Notes', 'Other']);
    assert.deepEqual(named('Other'), ['Other']);
    const [notes] = own;
    assert.ok(notes);
    const same = { ...notes, clients: [{ id: 'claude', label: 'C' }] };
    const all = checkTargets([], [], values, [same, notes]).map(({ clients }) => clients.map(({ id }) => id));
    assert.deepEqual(all, [['claude', 'agent-logs']]);
  });
});
