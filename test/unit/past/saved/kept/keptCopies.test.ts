import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SaverId } from '../../../../../src/agents/agents';
import { formOf, savers } from '../../../../../src/agents/agents';
import { FileRun } from '../../../../../src/past/files/fileRun';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { savedWork } from '../../../../../src/past/saved/list/savedUsage';
import { ReadTally } from '../../../../../src/runLog/reading/readTally';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import { Redactor } from '../../../../../src/redact/redactor';
import { OwnPatterns } from '../../../../../src/redact/ownPatterns';
import { savedSearchedSessions } from '../../../../../src/search/searchedSession';
import type { SessionHits } from '../../../../../src/search/sessionSearch';
import { SessionSearch } from '../../../../../src/search/sessionSearch';
import { nodeScan } from '../../../../../src/search/textScan';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { hasSqlite } from '../../../../support/databases';
import { savedHomeOptions } from '../../../../support/savedHome';
import { makeSamples, savedSamples } from '../../../../support/savedSamples';
import { messagesOf } from '../../../../support/savedRun';

describe('kept copies of sessions', () => {
  let home: string;
  /** The folder of the copies. */
  let keptPath: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSamples(home);
  });
  after(() => rmSync(home, { recursive: true, force: true }));
  beforeEach(() => (keptPath = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(keptPath, { recursive: true, force: true }));

  const sessions = (patterns: readonly RegExp[] = [], of = home): SavedSessions =>
    new SavedSessions({
      ...savedHomeOptions(of),
      keptPath,
      redactor: new Redactor({ patterns: new OwnPatterns(patterns) }),
    });

  async function listed(agent: SaverId, saved: SavedSessions): Promise<SavedSession> {
    const { sessions: found } = await saved.list(agent);
    const same = found.filter(({ id }) => id.endsWith(savedSamples[agent].id));
    return same.at(-1) ?? assert.fail(found.map(({ id }) => id).join(' '));
  }

  async function read(session: SavedSession, saved: SavedSessions): Promise<FileRun> {
    const run = new FileRun(saved.open(session), {
      level: 'info',
      maxMemory: 1e7,
      redaction: undefined,
      follows: false,
    });
    await run.read();
    return run;
  }

  async function found(agent: SaverId, saved: SavedSessions): Promise<number> {
    const nowhere = new JournalFolder('/nowhere');
    const fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e7, redaction: undefined }));
    const hits: SessionHits[] = [];
    const services = {
      sessions: (signal: AbortSignal) => savedSearchedSessions(saved, fileRuns, signal),
      scan: nodeScan,
      redactor: new Redactor(),
      discard: (run: FileRun) => fileRuns.discard(run),
    };
    await new SessionSearch(services).search(`agent:${agent} "${savedSamples[agent].text}"`, {
      signal: new AbortController().signal,
      onHits: (some) => hits.push(some),
      onProgress: () => undefined,
    });
    await fileRuns.dispose();
    return hits.length;
  }

  for (const { id: agent } of savers) {
    if (!hasSqlite && formOf(agent).type === 'database') continue;
    it(`of ${agent} are listed, read and searched like the original, once`, async () => {
      const saved = sessions();
      const session = await listed(agent, saved);
      const original = await read(session, saved);
      const { usage } = await savedWork(saved.open(session));
      const [count, hits] = [(await saved.list(agent)).sessions.length, await found(agent, saved)];
      assert.ok(hits > 0);

      await saved.keep(session, { by: 'user' });
      const both = await listed(agent, saved);
      assert.deepEqual([both.kept?.by, both.isGone, both.path], ['user', undefined, session.path]);
      assert.equal((await saved.list(agent)).sessions.length, count);
      assert.equal(await found(agent, saved), hits);

      // Its agent has deleted everything.
      const later = sessions([], join(keptPath, 'home'));
      const { sessions: left, total } = await later.list(agent);
      assert.equal(total, 1);
      const [copy] = left;
      assert.ok(copy?.isGone === true && copy.kept?.original === session.path);
      assert.deepEqual(factsOf(copy), factsOf(session));
      assert.ok((await later.agents()).some((one) => one.agent === agent));
      assert.equal((await later.find(agent, session.id))?.path, copy.path);
      assert.equal(await found(agent, later), 1);
      const run = await read(copy, later);
      assert.deepEqual(messagesOf(run), messagesOf(original));
      assert.deepEqual(parentsOf(run), parentsOf(original));
      assert.deepEqual((await savedWork(later.open(copy))).usage, usage);
      assert.equal((await later.openFile(copy.path))?.saved?.sessionId, session.id);
    });
  }

  it('have none of the secrets', async () => {
    const saved = sessions([/parser/gi]);
    const session = await listed('claude', saved);
    await saved.keep(session, { by: 'user' });
    const [copy] = await saved.copies();
    const text = readFileSync(copy?.path ?? '', 'utf8');
    assert.doesNotMatch(text, /parser/i);
    for (const line of text.trim().split('\n')) assert.ok(JSON.parse(line));
  });

  it('miss something if they were cut between two lines', async () => {
    const saved = sessions();
    await saved.keep(await listed('claude', saved), { by: 'user' });
    const [copy] = await saved.copies();
    const path = copy?.path ?? '';
    const text = readFileSync(path, 'utf8').trimEnd();
    writeFileSync(path, text.slice(0, text.lastIndexOf('\n') + 1));
    const tally = new ReadTally();
    const info = (await saved.openFile(path)) ?? assert.fail();
    await new FileRun(info, { level: 'info', maxMemory: 1e7, redaction: undefined, follows: false, tally }).read();
    assert.deepEqual(tally.missing, ['1 line cannot be read']);
  });

  it('are deleted only as such', async () => {
    const saved = sessions();
    const session = await listed('claude', saved);
    await saved.keep(session, { by: 'user' });
    const [copy] = await saved.copies();
    await assert.rejects(saved.deleteCopy(session.path), /Not a copy/);
    await assert.rejects(saved.deleteCopy(join(keptPath, 'claude', '..', '..', 'x.jsonl')), /Not a copy/);
    await saved.deleteCopy(copy?.path ?? '');
    assert.deepEqual(await saved.copies(), []);
    assert.equal((await listed('claude', saved)).kept, undefined);
  });

  it('leave nothing if they are cancelled', async () => {
    const saved = sessions();
    const session = await listed('claude', saved);
    const cancel = new AbortController();
    const isCancelled = saved.keep(session, { by: 'user', signal: cancel.signal, onProgress: () => cancel.abort() });
    await assert.rejects(isCancelled, /abort/i);
    assert.deepEqual(readdirSync(join(keptPath, 'claude')), []);
  });

  it('replace older ones', async () => {
    const saved = sessions();
    const session = await listed('claude', saved);
    await saved.keep(session, { by: 'setting' });
    await Promise.all([saved.keep(session, { by: 'user' }), saved.keep(session, { by: 'user' })]);
    assert.equal(readdirSync(join(keptPath, 'claude')).length, 1);
    assert.equal((await listed('claude', saved)).kept?.by, 'user');
  });
});

function factsOf({
  id,
  title,
  folder,
  startedAt,
  model,
  outcome,
  forkedFrom,
  modifiedAt,
}: SavedSession): readonly unknown[] {
  return [id, title, folder, startedAt, model, outcome, forkedFrom, modifiedAt];
}

function parentsOf({ log }: FileRun): readonly unknown[] {
  return log.sessions.map(({ id, parent }) => [id, parent]);
}
