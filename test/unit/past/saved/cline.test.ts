import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/text/json';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';

const place = '.cline/data/sessions/1795340634848_ci0q5/1795340634848_ci0q5.json';

describe('saved sessions of Cline', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const sessions = (): SavedSessions => new SavedSessions(savedHomeOptions(home));
  const outcome = async (about: JsonObject) => {
    writeFileSync(join(home, place), JSON.stringify({ session_id: '1795340634848_ci0q5', pid: 81, ...about }));
    return (await sessions().list('cline')).sessions.map((session) => [session.outcome, session.title]);
  };

  it('ended as their messages say if the file beside them does not know', async () => {
    const metadata = { title: 'List the files' };
    const gone = { ...metadata, terminal_marker: 'failed_external_process_exit' };
    assert.deepEqual(await outcome({ status: 'idle', metadata }), [['ok', 'List the files']]);
    assert.deepEqual(await outcome({ status: 'failed', metadata: gone }), [['ok', 'List the files']]);
    assert.deepEqual(await outcome({ status: 'failed', metadata }), [['error', 'List the files']]);
  });

  it('know of which session they are a fork', async () => {
    const from = async (metadata: JsonObject) => {
      await outcome({ status: 'idle', metadata });
      return (await sessions().list('cline')).sessions[0]?.forkedFrom;
    };
    assert.equal(await from({}), undefined);
    assert.equal(await from({ fork: { forkedFromSessionId: '1795340634000_first' } }), '1795340634000_first');
  });
});
