import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import type { WatchedServer } from '../../../../../src/mcpServers/watchMemory';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs } from '../../../../../src/runs/runs';
import { Emitter } from '../../../../../src/text/emitter';
import type { Configuration, ConfigurationChange } from '../../../../../src/ui/services/configuration';
import type { LocalSessions } from '../../../../../src/ui/services/localSessions';
import type { McpServers } from '../../../../../src/ui/services/mcp/mcpServers';
import type { SessionsNow } from '../../../../../src/ui/services/now/sessionsNow';
import type { WatchedFiles } from '../../../../../src/ui/services/watchedFiles';
import { SessionTree } from '../../../../../src/ui/surfaces/tree/sessionTree';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';

describe('the tree while it is redrawn', () => {
  const never = new Emitter<never>().event;
  const changed = new Emitter<ConfigurationChange>();
  const nowhere = new JournalFolder('/nowhere');
  let tree: SessionTree;
  let agents: Record<string, object>;
  let watched: WatchedServer[];
  /** Reads which servers are watched. */
  let reading: Promise<void>;
  let redrawn: (readonly (string | undefined)[] | undefined)[];

  beforeEach(async () => {
    [agents, watched, redrawn] = [{ Agent: { command: 'agent' } }, [], []];
    reading = Promise.resolve();
    const configuration = {
      onDidChange: changed.event,
      get agents() {
        return agentDefinitions(agents);
      },
    };
    const mcpServers = { onDidChange: never, watched, refresh: () => reading };
    tree = new SessionTree(
      new Runs(),
      new FileRuns(nowhere, nowhere, () => assert.fail('read a file')),
      { begin: () => undefined } as unknown as WatchedFiles,
      configuration as unknown as Configuration,
      { isShown: false, onDidFilter: never } as unknown as LocalSessions,
      mcpServers as unknown as McpServers,
      { onDidChange: never, shown: [], waiting: [] } as unknown as SessionsNow,
    );
    tree.onDidChangeTreeData((rows) => redrawn.push(rows?.map((row) => row.id)));
    for (const row of await tree.getChildren()) tree.getTreeItem(row);
    await settle();
  });

  afterEach(() => tree.dispose());

  /** Longer than changes are collected. */
  const settle = (): Promise<void> => wait(400);
  const names = async (): Promise<(string | vscode.TreeItemLabel | undefined)[]> =>
    (await tree.getChildren()).map((row) => row.item().label);

  it('gives rows at once, and what it reads besides when that is there', async () => {
    let endReading!: () => void;
    reading = new Promise((resolve) => (endReading = resolve));
    assert.deepEqual(await names(), ['Agent', 'Start Sample Agent'], 'while the servers are read');
    watched.push({ path: ['mcpServers', 'files'], client: 'Cursor' } as unknown as WatchedServer);
    endReading();
    await settle();
    assert.deepEqual(redrawn, [undefined]);
    assert.ok((await names()).includes('Watched MCP Servers'));
  });

  const change = async (isOfAgents = true): Promise<void> => {
    changed.fire({ isOfAgents });
    await settle();
  };

  it('redraws nothing if the settings of an agent changed that no row shows', async () => {
    agents = { Agent: { command: 'agent', args: ['--verbose'] } };
    await change();
    assert.deepEqual(redrawn, []);
  });

  it('redraws the row of an agent whose settings look wrong now', async () => {
    agents = { Agent: { command: 'agent', arg: ['acp'] } };
    await change();
    assert.deepEqual(redrawn, [['agent:Agent']]);
  });

  it('redraws the whole once if an agent was added, although the settings change twice', async () => {
    agents = { ...agents, Other: { command: 'other' } };
    await change();
    await change();
    assert.deepEqual(redrawn, [undefined]);
  });

  it('redraws the whole if other settings changed', async () => {
    await change(false);
    assert.deepEqual(redrawn, [undefined]);
  });
});
