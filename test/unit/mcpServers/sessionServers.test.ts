import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dialects } from '../../../src/live/acp/dialect';
import { configuredServers } from '../../../src/mcpServers/configuredServers';
import type { SessionServerOptions } from '../../../src/mcpServers/sessionServers';
import { sessionServers } from '../../../src/mcpServers/sessionServers';
import { column } from '../../support/columns';
import { useFolder } from '../../support/tempFolder';

describe('the MCP servers of a session', () => {
  const folder = useFolder();

  const file = {
    inputs: [],
    servers: {
      local: { command: 'npx', args: ['-y', '${workspaceFolder}/x'], env: { TOKEN: '${env:TOKEN}', PORT: 3 } },
      remote: { type: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      old: { type: 'sse', url: 'https://old.test/sse' },
      asking: { command: 'ask', args: ['${input:key}'] },
      missing: { command: 'not-there' },
    },
  };

  beforeEach(async () => {
    await mkdir(folder.in('.vscode'));
    await writeFile(folder.in('.vscode/mcp.json'), JSON.stringify(file));
    const second = { mcpServers: { local: { command: 'other' }, off: { command: 'npx', disabled: true } } };
    await writeFile(folder.in('.mcp.json'), JSON.stringify(second));
  });

  async function given(options: Partial<SessionServerOptions>): Promise<readonly unknown[]> {
    const machine = { platform: process.platform, home: folder.in('home'), env: {} };
    const { servers } = await configuredServers({ machine, folders: [folder.path] });
    const own = servers.filter(({ client }) => client.id === 'vscode' || client.id === 'claude').reverse();
    const found = await sessionServers(own, {
      transports: { stdio: true, http: false, sse: false },
      version: 1,
      values: { env: { TOKEN: 'secret' }, userHome: '/home/me', workspaceFolder: folder.path },
      find: (command) => Promise.resolve(command === 'not-there' ? undefined : `/bin/${command}`),
      ...options,
    });
    return column(found, 'entry');
  }

  const env = [
    { name: 'TOKEN', value: 'secret' },
    { name: 'PORT', value: '3' },
  ];
  const local = (): object => ({ name: 'local', command: '/bin/npx', args: ['-y', `${folder.path}/x`], env });
  const headers = [{ name: 'Authorization', value: 'Bearer secret' }];
  const remote = { type: 'http', name: 'remote', url: 'https://x.test/mcp', headers };
  const old = { type: 'sse', name: 'old', url: 'https://old.test/sse', headers: [] };

  it('are those with a transport that the agent supports, with all variables expanded', async () => {
    assert.deepEqual(await given({}), [local()]);
    assert.deepEqual(await given({ transports: { stdio: true, http: true, sse: true } }), [old, remote, local()]);
    assert.deepEqual(await given({ version: 2 }), [{ type: 'stdio', ...local() }]);
    assert.deepEqual(await given({ transports: { stdio: false, http: true, sse: false }, version: 2 }), [remote]);
  });

  it('go through the tap if wanted', async () => {
    const tapped = { ...local(), command: '/bin/node', args: ['cli', 'tap', '--', 'npx', '-y', `${folder.path}/x`] };
    assert.deepEqual(await given({ front: () => ['node', 'cli', 'tap', '--'] }), [tapped]);
  });

  it('depend on the capabilities of the agent, in both versions of the protocol', () => {
    const transports = (version: 1 | 2, initialized: object): unknown =>
      dialects[version].mcpTransports(initialized as Readonly<Record<string, unknown>>);
    assert.deepEqual(transports(1, {}), { stdio: true, http: false, sse: false });
    const agentCapabilities = { mcpCapabilities: { http: true, sse: true } };
    assert.deepEqual(transports(1, { agentCapabilities }), { stdio: true, http: true, sse: true });
    assert.deepEqual(transports(2, {}), { stdio: false, http: false, sse: false });
    const capabilities = { session: { mcp: { stdio: {}, http: null } } };
    assert.deepEqual(transports(2, { capabilities }), { stdio: true, http: false, sse: false });
  });
});
