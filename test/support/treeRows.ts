import assert from 'node:assert/strict';
import { agentDefinitions } from '../../src/live/config/agentDefinition';
import type { Run } from '../../src/live/run';
import { FileRuns } from '../../src/past/files/fileRuns';
import { Runs } from '../../src/runs/runs';
import { RootRows } from '../../src/ui/surfaces/tree/rows/rootRows';
import type { RowSources } from '../../src/ui/surfaces/tree/rows/rowSources';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import type { TestRuns } from './testRun';

/** Rows of the tree, with sources that have nothing but what a test gives them. */
export function treeRows(testRuns: TestRuns): {
  readonly rowsOf: (runs: Runs, fileRuns?: FileRuns, setting?: unknown) => RootRows;
  readonly rowsWith: (given: Partial<RowSources>) => RootRows;
  readonly fixture: (...agentNames: string[]) => { runs: Runs; rows: RootRows; run: Run };
} {
  const noFiles = (): FileRuns =>
    new FileRuns(new JournalFolder('/nowhere'), new JournalFolder('/nowhere'), () => assert.fail('read a file'));

  /** @param setting the value of `agentLogs.agents` */
  function rowsOf(runs: Runs, fileRuns = noFiles(), setting: unknown = {}): RootRows {
    const definitions = agentDefinitions(setting);
    return rowsWith({ runs, fileRuns, agents: () => definitions, now: () => 60_000 });
  }

  function rowsWith(given: Partial<RowSources>): RootRows {
    return new RootRows({
      runs: new Runs(),
      fileRuns: noFiles(),
      isTrusted: () => true,
      agents: () => agentDefinitions({}),
      showsActivity: () => true,
      prices: () => ({}),
      saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
      sessionsNow: { shown: [], waiting: [] },
      mcpServers: { watched: [], refresh: () => Promise.resolve() },
      installed: () => Promise.resolve([]),
      now: () => 0,
      redraw: () => undefined,
      ...given,
    });
  }

  function fixture(...agentNames: string[]): { runs: Runs; rows: RootRows; run: Run } {
    const runs = new Runs();
    const setting = Object.fromEntries(agentNames.map((name) => [name, { command: 'x' }]));
    return { runs, rows: rowsOf(runs, noFiles(), setting), run: testRuns.create('silent') };
  }

  return { rowsOf, rowsWith, fixture };
}
