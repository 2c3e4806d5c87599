import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FileRun } from '../../../../../src/past/files/fileRun';
import type { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import { ReadTally } from '../../../../../src/runLog/reading/readTally';
import { Redactor } from '../../../../../src/redact/redactor';
import { OwnPatterns } from '../../../../../src/redact/ownPatterns';
import { useSavedHome } from '../../../../support/savedSuite';

describe('kept copies of sessions', () => {
  const home = useSavedHome('filled');
  let saved: SavedSessions;
  let session: SavedSession;
  beforeEach(async () => {
    const redactor = new Redactor({ patterns: new OwnPatterns([/parser/gi]) });
    saved = home.sessions({ keptPath: home.in('kept'), redactor });
    session = await listed();
  });

  const listed = async (): Promise<SavedSession> =>
    (await saved.find('claude', '6d2f2f1b7a11')) ?? assert.fail('no session');

  /** Keeps the session, and returns the path of its copy. */
  const kept = async (): Promise<string> => {
    await saved.keep(session, { by: 'user' });
    return (await saved.copies())[0]?.path ?? assert.fail('no copy');
  };

  it('have none of the secrets', async () => {
    const text = readFileSync(await kept(), 'utf8');
    assert.doesNotMatch(text, /parser/i);
    for (const line of text.trim().split('\n')) assert.ok(JSON.parse(line));
  });

  it('miss something if they were cut between two lines', async () => {
    const path = await kept();
    const text = readFileSync(path, 'utf8').trimEnd();
    writeFileSync(path, text.slice(0, text.lastIndexOf('\n') + 1));
    const tally = new ReadTally();
    const info = (await saved.openFile(path)) ?? assert.fail();
    await new FileRun(info, { level: 'info', maxMemory: 1e7, redaction: undefined, follows: false, tally }).read();
    assert.deepEqual(tally.missing, ['1 line cannot be read']);
  });

  it('are deleted only as such', async () => {
    const path = await kept();
    await assert.rejects(saved.deleteCopy(session.path), /Not a copy/);
    await assert.rejects(saved.deleteCopy(home.in('kept', 'claude', '..', '..', 'x.jsonl')), /Not a copy/);
    await saved.deleteCopy(path);
    assert.deepEqual(await saved.copies(), []);
    assert.equal((await listed()).kept, undefined);
  });

  it('leave nothing if they are cancelled', async () => {
    const cancel = new AbortController();
    const isCancelled = saved.keep(session, { by: 'user', signal: cancel.signal, onProgress: () => cancel.abort() });
    await assert.rejects(isCancelled, /abort/i);
    assert.deepEqual(readdirSync(home.in('kept/claude')), []);
  });

  it('replace older ones', async () => {
    await saved.keep(session, { by: 'setting' });
    await Promise.all([saved.keep(session, { by: 'user' }), saved.keep(session, { by: 'user' })]);
    assert.equal(readdirSync(home.in('kept/claude')).length, 1);
    assert.equal((await listed()).kept?.by, 'user');
  });
});
