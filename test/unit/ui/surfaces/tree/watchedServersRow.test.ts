import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import type { WatchedServer } from '../../../../../src/mcpServers/watchMemory';
import { Runs } from '../../../../../src/runs/runs';
import { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';

describe('the row of watched MCP servers', () => {
  it('names them, also before the first run', async () => {
    const server = { file: '/p/.mcp.json', client: 'Claude Code', wrapping: { words: [] } };
    const watched: WatchedServer[] = [];
    const rows = new RootRows({
      runs: new Runs(),
      fileRuns: new FileRuns(new JournalFolder('/nowhere'), new JournalFolder('/nowhere'), () => assert.fail()),
      agents: () => agentDefinitions({}),
      isTrusted: () => true,
      showsActivity: () => true,
      prices: () => ({}),
      saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
      sessionsNow: { shown: [], waiting: [] },
      mcpServers: {
        watched,
        refresh: () => {
          watched.push({ ...server, path: ['mcpServers', 'a'] }, { ...server, path: ['mcpServers', 'b'] });
          return Promise.resolve();
        },
      },
      installed: () => Promise.resolve([]),
      now: () => 0,
      redraw: () => undefined,
    });
    assert.ok(!rows.all().some(({ id }) => id === 'watchedServers'));
    await rows.prepare();
    const row = rows.all().find(({ id }) => id === 'watchedServers');
    assert.equal(row?.text(), 'Watched MCP Servers · a, b');
    assert.match(row.tooltip(), /^Their commands .+\na · Claude Code · \/p\/\.mcp\.json\nb · /);
  });
});
