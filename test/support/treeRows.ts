import assert from 'node:assert/strict';
import { FileRuns } from '../../src/past/files/fileRuns';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { Runs } from '../../src/runs/runs';
import { RootRows } from '../../src/ui/surfaces/tree/rows/rootRows';
import type { RowSources } from '../../src/ui/surfaces/tree/rows/rowSources';
import type { Run } from '../../src/live/run';
import { agentDefinitions } from '../../src/live/config/agentDefinition';
import { TestRuns } from './testRun';
import type { Row } from '../../src/ui/surfaces/tree/rows/row';
import type { SavedSource } from '../../src/ui/services/localSessions';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { makeSavedHome, savedHomeOptions } from './savedHome';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedSessionsOptions } from '../../src/past/saved/list/savedSessions';
import type { Redaction } from '../../src/redact/redactorFor';

const nowhere = new JournalFolder('/nowhere');
const noFiles = (): FileRuns => new FileRuns(nowhere, nowhere, () => assert.fail('read a file'));

/** Rows of the tree, with sources that have nothing but what a test gives them. */
export function rowsWith(given: Partial<RowSources>): RootRows {
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
    now: () => 60_000,
    redraw: () => undefined,
    ...given,
  });
}

/** Rows of runs of a silent agent, which end with the tests. */
export function useTreeRows(): {
  readonly testRuns: TestRuns;
  /** @param agentNames those of the settings */
  readonly fixture: (...agentNames: string[]) => { runs: Runs; rows: RootRows; run: Run };
} {
  const testRuns = new TestRuns();
  after(() => testRuns.end());
  return {
    testRuns,
    fixture: (...agentNames) => {
      const runs = new Runs();
      const agents = agentDefinitions(Object.fromEntries(agentNames.map((name) => [name, { command: 'x' }])));
      return { runs, rows: rowsWith({ runs, agents: () => agents }), run: testRuns.create('silent') };
    },
  };
}

/** Saved sessions in a home of its own for each test, and the rows that show them. */
export class SavedRows {
  home = '';
  fileRuns = noFiles();
  redrawn: Row[] = [];
  /** What `rows()` shows. */
  saved: { -readonly [K in keyof SavedSource]: SavedSource[K] } = {
    isShown: true,
    folders: [],
    load: () => assert.fail(),
  };
  private shown: RootRows | undefined;

  /** @param fill makes the sessions */
  constructor(fill: (home: string) => void = makeSavedHome, redaction?: Redaction) {
    beforeEach(() => {
      this.home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
      fill(this.home);
      this.redrawn = [];
      this.fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e6, redaction }));
    });
    afterEach(async () => {
      this.shown?.saved.reset(); // It watches the folders.
      await this.fileRuns.dispose();
      // A row may still read a file, which Windows keeps until then.
      await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });
  }

  rows(given: Partial<SavedSource> = {}, more: Partial<RowSources> = {}): RootRows {
    const sessions = this.sessions();
    this.saved = { isShown: true, folders: [], load: () => Promise.resolve(sessions), ...given };
    const redraw = (row: Row): void => void this.redrawn.push(row);
    const { fileRuns, saved } = this;
    this.shown = rowsWith({ fileRuns, saved, now: () => 1_796_000_000_000, redraw, ...more });
    return this.shown;
  }

  sessions(more: Partial<SavedSessionsOptions> = {}): SavedSessions {
    return new SavedSessions({ ...savedHomeOptions(this.home), ...more });
  }

  /** The row of an agent, with its sessions. */
  async unfold(rows: RootRows, agent: string): Promise<Row> {
    await rows.saved.load();
    const row = rows.saved.children().find(({ id }) => id === `saved:${agent}`) ?? assert.fail(agent);
    await row.load();
    return row;
  }
}
