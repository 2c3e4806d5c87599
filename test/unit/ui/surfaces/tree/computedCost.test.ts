import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { SavedSessionRow } from '../../../../../src/ui/surfaces/tree/rows/savedSessionRow';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import type { PriceList } from '../../../../../src/work/usage/prices';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';
import { TestRuns } from '../../../../support/testRun';
import { treeRows } from '../../../../support/treeRows';

describe('the tooltip of a session that was read', () => {
  const { rowsWith } = treeRows(new TestRuns());
  const nowhere = new JournalFolder('/nowhere');
  const fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e6, redaction: undefined }));
  const home = mkdtempSync(join(tmpdir(), 'agent-logs-'));

  before(() => makeSavedHome(home));

  after(async () => {
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  /** The lines of cost in the tooltips of an agent's sessions. */
  async function costs(agent: string, prices: PriceList): Promise<readonly string[]> {
    const load = (): Promise<SavedSessions> => Promise.resolve(new SavedSessions(savedHomeOptions(home)));
    const { saved } = rowsWith({ fileRuns, prices: () => prices, saved: { isShown: true, folders: [], load } });
    await saved.load();
    const row = saved.children().find(({ id }) => id === `saved:${agent}`);
    await row?.load();
    const sessions = row?.children().filter((child) => child instanceof SavedSessionRow) ?? [];
    for (const session of sessions) {
      await session.load();
      await session.file.read();
    }
    const lines = sessions.flatMap((session) => session.tooltip().match(/\b(?:Computed c|C)ost.*$/gm) ?? []);
    saved.reset(); // It watches the folders.
    return lines;
  }

  it('has what it cost by the prices of the user, unless its agent reports that', async () => {
    const prices = { 'mock*': { input: 1000, output: 0 } };
    const [last, all] = ['Computed cost by your prices: ', 'Computed cost of all its turns: '];
    assert.deepEqual(await costs('codex', prices), [`${last}$4.10`, `${all}$8.15`]);
    assert.deepEqual(await costs('kimi', prices), [`${last}$1.20`]);
    assert.deepEqual(await costs('kimi', { other: prices['mock*'] }), []);
    assert.deepEqual(await costs('pi', prices), ['Cost: $0.0012']);
  });
});
