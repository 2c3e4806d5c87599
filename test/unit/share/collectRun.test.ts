import * as assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import type { SharedPart } from '../../../src/share/collectRun';
import { collectRun } from '../../../src/share/collectRun';
import type { FileRun } from '../../../src/past/files/fileRun';
import { column, rowsOf } from '../../support/columns';
import { readRun } from '../../support/runPlaces';

const recording = 'test/fixtures/acp/claude-v2-sub.ndjson';

describe('collectRun', () => {
  let run: FileRun;
  before(async () => (run = await readRun(recording)));
  after(() => run.dispose());

  const collected = (part: SharedPart) => collectRun(run, { part, now: 1 });

  it('has all records, messages with their bodies, and spans of a run', async () => {
    const { records, messages, spans, sessions, cut } = await collected({ type: 'run' });
    assert.deepEqual(rowsOf(records, 'seq', 'message'), rowsOf(run.log.store.query(), 'seq', 'message'));
    assert.equal(messages.length, run.log.wire.count);
    const answered = messages.filter(({ answerSeq }) => answerSeq !== undefined);
    assert.ok(answered.length > 2);
    for (const { method, message, answer } of answered) {
      assert.match(message ?? '', new RegExp(`"${method}"`));
      assert.match(answer ?? '', /"(?:result|error)"/);
    }
    assert.equal(spans.length, run.log.spans().filter(({ kind }) => kind !== 'request').length);
    assert.equal(sessions.length, run.log.sessions.length);
    assert.deepEqual(cut, []);
  });

  it('has no complete session ID and no path of the file', async () => {
    const json = JSON.stringify(await collected({ type: 'run' }));
    for (const { id } of run.log.sessions) assert.ok(!json.includes(id), id);
    const [path = ''] = run.journal.paths;
    assert.ok(isAbsolute(path) && !json.includes(path));
  });

  it('has a session with its subagents and what belongs to none', async () => {
    const [{ id: sessionId } = assert.fail()] = run.log.sessions;
    const { sessions, cut } = await collected({ type: 'session', sessionId });
    assert.equal(sessions.length, run.log.sessions.filter(({ id, parent }) => id === sessionId || parent).length);
    assert.deepEqual(cut, [{ type: 'part', of: 'session' }]);
  });

  it('has a selection of records with the messages and spans around them', async () => {
    const { seq } = run.log.store.query().find(({ logger }) => logger === 'prompt') ?? assert.fail();
    const { records, spans, cut } = await collected({ type: 'selection', seqs: new Set([seq]) });
    assert.deepEqual([column(records, 'seq'), column(spans, 'kind')], [[seq], ['turn']]);
    assert.deepEqual(cut, [{ type: 'part', of: 'selection' }]);
  });
});
