import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../../../src/text/json';
import { outerTurns, totalUsage } from '../../../../src/timeline/totalUsage';
import { jsonOf } from '../../../support/agentLines';
import { column } from '../../../support/columns';
import { messagesOf, readSavedLines } from '../../../support/savedRun';
import { useSavedHome } from '../../../support/savedSuite';

describe('saved sessions of Cline', () => {
  const home = useSavedHome('filled');
  const listed = async (about: JsonObject) => {
    const id = '1795340634848_ci0q5';
    home.write(`.cline/data/sessions/${id}/${id}.json`, JSON.stringify({ session_id: id, pid: 81, ...about }));
    const [session = assert.fail('no session')] = (await home.sessions().list('cline')).sessions;
    return session;
  };

  it('ended as their messages say if the file beside them does not know', async () => {
    const metadata = { title: 'List the files' };
    const gone = { ...metadata, terminal_marker: 'failed_external_process_exit' };
    for (const [about, expected] of [
      [{ status: 'idle', metadata }, 'ok'],
      [{ status: 'failed', metadata: gone }, 'ok'],
      [{ status: 'failed', metadata }, 'error'],
    ] as const) {
      const { outcome, title } = await listed(about);
      assert.deepEqual([outcome, title], [expected, 'List the files']);
    }
  });

  it('know of which session they are a fork', async () => {
    assert.equal((await listed({ status: 'idle', metadata: {} })).forkedFrom, undefined);
    const metadata = { fork: { forkedFromSessionId: '1795340634000_first' } };
    assert.equal((await listed({ status: 'idle', metadata })).forkedFrom, '1795340634000_first');
  });
});

describe('saved sessions of Continue', () => {
  const home = useSavedHome('filled');

  it('are shown in their order at the time of the file, because they have no times', async () => {
    const [session = assert.fail('no session')] = (await home.sessions().list('continue')).sessions;
    const records = (await home.opened(home.sessions().open(session))).log.store.query();
    assert.deepEqual([...new Set(column(records, 'receivedAt'))], [session.modifiedAt]);
    assert.equal(records.find(({ logger }) => logger === 'prompt')?.message, 'run the tests');
  });

  it('go on after a compaction, which leaves fewer items', () => {
    const item = (index: number, role: string, content: string): object => {
      return { type: 'continue.item', index, message: { role, content } };
    };
    const session = { type: 'continue.session', sessionId: 's1', workspaceDirectory: '/home/dev/shop' };
    const before = [item(0, 'user', 'run the tests'), item(1, 'assistant', 'They pass.')];
    const more = [item(2, 'user', 'and the linter'), item(3, 'assistant', 'It passes, too.')];
    const summary = item(0, 'assistant', 'Summary: all is well.');
    const saved = [summary, item(1, 'user', 'now commit'), item(2, 'assistant', 'Done.')];
    const log = readSavedLines(jsonOf([session, ...before, ...more, ...saved]));
    assert.equal(log.spans({ kinds: ['turn'] }).length, 3);
    for (const text of ['now commit', 'Done.']) assert.ok(messagesOf({ log }).includes(text), text);
  });
});

describe('saved sessions of Droid', () => {
  const home = useSavedHome('filled');
  const file = '.factory/sessions/-home-dev-project/f4f7c8fd-3c7d-4228-b393-70686b2eeae8';

  async function used() {
    const [session = assert.fail('no session')] = (await home.sessions().list('droid')).sessions;
    const run = await home.opened(home.sessions().open(session));
    const { inputTokens, outputTokens, cachedTokens, basis } =
      totalUsage(outerTurns(run.log.spans({ kinds: ['turn'] }))) ?? {};
    return [inputTokens, outputTokens, cachedTokens, basis];
  }

  it('have their tokens from the settings beside them: the sum of all runs, whose input excludes the cache', async () => {
    assert.deepEqual(await used(), [4050, 180, 900, 'cumulative']);
  });

  it('have them if the last turn was killed', async () => {
    const path = home.in(`${file}.jsonl`);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('"agent_turn_outcome"')).join('\n'));
    assert.deepEqual(await used(), [4050, 180, 900, 'cumulative']);
  });

  it('are read without them, too', async () => {
    const none = [undefined, undefined, undefined, undefined];
    rmSync(home.in(`${file}.settings.json`));
    assert.deepEqual(await used(), none);
    home.write(`${file}.settings.json`, '{"tokenUsage":');
    assert.deepEqual(await used(), none);
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
    assert.match(messagesOf({ log: readSavedLines(jsonOf(lines)) }).at(-1) ?? '', /model not found/);
  });
});
