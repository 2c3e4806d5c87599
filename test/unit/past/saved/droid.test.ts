import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { outerTurns, totalUsage } from '../../../../src/timeline/totalUsage';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';

const file = '.factory/sessions/-home-dev-project/f4f7c8fd-3c7d-4228-b393-70686b2eeae8';

describe('saved sessions of Droid', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function used() {
    const sessions = new SavedSessions(savedHomeOptions(home));
    const [session] = (await sessions.list('droid')).sessions;
    const run = new FileRun(sessions.open(session ?? assert.fail()), { level: 'debug', maxMemory: 1e7 });
    await run.read();
    await run.dispose();
    return totalUsage(outerTurns(run.log.spans({ kinds: ['turn'] })));
  }

  it('have their tokens from the settings beside them: the sum of all runs, whose input excludes the cache', async () => {
    const { inputTokens, outputTokens, cachedTokens, basis } = (await used()) ?? {};
    assert.deepEqual([inputTokens, outputTokens, cachedTokens, basis], [4050, 180, 900, 'cumulative']);
  });

  it('are read without them, too', async () => {
    rmSync(join(home, `${file}.settings.json`));
    assert.equal(await used(), undefined);
    writeFileSync(join(home, `${file}.settings.json`), '{"tokenUsage":');
    assert.equal(await used(), undefined);
  });
});
