import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { outerTurns, totalUsage } from '../../../../src/timeline/totalUsage';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';
import { messagesOf, readSavedLines } from '../../../support/savedRun';

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
    const run = new FileRun(sessions.open(session ?? assert.fail()), {
      level: 'debug',
      maxMemory: 1e7,
      redaction: undefined,
    });
    await run.read();
    await run.dispose();
    return totalUsage(outerTurns(run.log.spans({ kinds: ['turn'] })));
  }

  it('have their tokens from the settings beside them: the sum of all runs, whose input excludes the cache', async () => {
    const { inputTokens, outputTokens, cachedTokens, basis } = (await used()) ?? {};
    assert.deepEqual([inputTokens, outputTokens, cachedTokens, basis], [4050, 180, 900, 'cumulative']);
  });

  it('have them if the last turn was killed', async () => {
    const path = join(home, `${file}.jsonl`);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('"agent_turn_outcome"')).join('\n'));
    assert.deepEqual([(await used())?.inputTokens, (await used())?.basis], [4050, 'cumulative']);
  });

  it('do not take the error of a turn without an end for that of the next one', () => {
    const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;
    const message = (n: number, text: string, more: object = {}): object => ({
      ...{ type: 'message', id: id(n), timestamp: `2026-11-28T10:00:0${n}.000Z` },
      message: { role: 'user', content: [{ type: 'text', text }], ...more },
    });
    const lines = [
      { type: 'session_start', id: id(0), version: 2, cwd: '/home/dev/shop', hostId: id(0) },
      message(1, 'run the tests'),
      message(2, 'Rate limit reached', { visibility: 'user_only' }),
      message(3, 'again'),
      { type: 'agent_turn_outcome', turnId: id(3), reason: 'model_not_found', resultKind: 'text' },
    ];
    const said = messagesOf({ log: readSavedLines(lines.map((line) => JSON.stringify(line))) });
    assert.match(said.at(-1) ?? '', /model not found/);
  });

  it('are read without them, too', async () => {
    rmSync(join(home, `${file}.settings.json`));
    assert.equal(await used(), undefined);
    writeFileSync(join(home, `${file}.settings.json`), '{"tokenUsage":');
    assert.equal(await used(), undefined);
  });
});
