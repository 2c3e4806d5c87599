import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { FileRuns } from '../../../../src/runs/files/fileRuns';
import { Runs, RunViews } from '../../../../src/runs/runs';
import { SavedSessions } from '../../../../src/runs/saved/savedSessions';
import { listRuns } from '../../../../src/ui/lmTools/listRuns';
import { searchRecords } from '../../../../src/ui/lmTools/searchRecords';
import { ToolRuns } from '../../../../src/ui/lmTools/toolRuns';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';

describe('the runs of chat tools', () => {
  let home: string;
  let fileRuns: FileRuns;
  const { token } = new CancellationTokenSource();

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    mkdirSync(join(home, 'journals'));
    const folder = new JournalFolder(join(home, 'journals'));
    fileRuns = new FileRuns(folder, folder, () => ({ level: 'info', maxMemory: 1e7 }));
  });

  afterEach(async () => {
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  function toolRuns(isShown = true, folders: readonly string[] = ['/home/me/project']): ToolRuns {
    const saved = new SavedSessions(savedHomeOptions(home));
    const views = new RunViews(new Runs(), fileRuns);
    return new ToolRuns(views, fileRuns, () => true, { isShown, folders, load: () => Promise.resolve(saved) });
  }

  it("list the saved sessions of the workspace's folders", async () => {
    const text = listRuns(await toolRuns().all());
    assert.match(
      text,
      /- "Parser tests" id \w+, session saved by Claude Code, started 2026-11-20T10:00:01\.000Z, not read/,
    );
    assert.match(text, /session saved by Copilot CLI/);
    assert.ok(!text.includes('Gemini'), 'of another folder');
  });

  it('leave saved sessions out if they may not be read, or no folder is open', async () => {
    assert.deepEqual(await toolRuns(false).all(), []);
    assert.deepEqual(await toolRuns(true, []).all(), []);
  });

  it('find a saved session by its title, and read it', async () => {
    const run = await toolRuns().find('Parser tests', token);
    assert.ok(typeof run !== 'string');
    assert.match(await searchRecords(run, { query: 'kind:diagnosis' }), /npm test.* exited with code 3/);
  });
});
