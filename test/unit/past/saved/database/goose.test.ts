import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { database } from '../../../../../src/agents/goose/database';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { databaseOf, hasSqlite, writeDatabase } from '../../../../support/databases';
import {
  gooseDatabase,
  gooseFailure,
  gooseMessage,
  gooseRequest,
  gooseResponse,
  gooseSession,
  gooseText,
} from '../../../../support/gooseDatabase';
import { describeSaved, readSaved } from '../../../../support/savedRun';
import { useSavedHome } from '../../../../support/savedSuite';

const id = gooseSession;

describe("goose's database", () => {
  const home = useSavedHome();

  it('has how the newest turn ended', async () => {
    const newest = (role: string, data: string) => {
      const rows = databaseOf(() => [{ role, data }]);
      return database.outcome(rows, id);
    };
    assert.deepEqual(await newest('assistant', gooseText('Done.')), { outcome: 'ok' });
    assert.deepEqual(await newest('assistant', gooseRequest), { outcome: 'open' });
    assert.deepEqual(await newest('user', gooseResponse), { outcome: 'open' });
    const problem = 'Authentication error: 401 Incorrect API key';
    assert.deepEqual(await newest('assistant', gooseFailure), { outcome: 'error', problem });
    assert.deepEqual(await newest('assistant', '[{'), { outcome: 'ok' });
  });

  if (!hasSqlite) return;

  describe('with SQLite', () => {
    let path: string;
    beforeEach(() => {
      path = home.in('.local/share/goose/sessions/sessions.db');
      mkdirSync(dirname(path), { recursive: true });
      writeDatabase(path, ...gooseDatabase);
    });

    it('is listed, newest first, without subagents', async () => {
      const { sessions: listed, total } = await home.sessions().list('goose');
      assert.deepEqual(
        listed.map(({ title, folder, outcome, lastAt }) => [title, folder, outcome, lastAt]),
        [
          ['Parser tests', '/home/dev/project', 'ok', Date.UTC(2026, 10, 24, 10, 5)],
          ['Older', '/home/dev/project', 'error', Date.UTC(2026, 10, 23, 10, 5)],
        ],
      );
      assert.equal(total, 2);
    });

    it('is read, with tools, tokens and models', async () => {
      const [newest = assert.fail('no session'), older = newest] = (await home.sessions().list('goose')).sessions;
      const run = await home.opened(home.sessions().open(newest));
      const shown = run.log.store.query({ minLevel: 'info' }).map(({ logger, message: text }) => `${logger}: ${text}`);
      assert.deepEqual(shown.slice(1, 6), [
        "prompt: Run the project's tests.",
        'agent: Let me look.',
        'tool: developer__shell: sh run-tests.sh',
        'tool: developer__shell: sh run-tests.sh (failed, in 1.0 s): not ok 1',
        'agent: The tests fail.',
      ]);
      const turn = run.log.store.query().find(({ logger }) => logger === 'turn');
      assert.match(JSON.stringify(turn?.data), /"inputTokens":2400,"outputTokens":120,.*"cachedTokens":600/);
      const other = await home.opened(home.sessions().open(older));
      assert.equal(other.log.sessions[0]?.summary?.lastTurn?.outcome, 'error');
    });

    it('is opened by its path and the ID of a session, and searched', async () => {
      assert.equal((await home.sessions().openFile(path, id))?.saved?.agent, 'goose');
      const [first] = await home.sessions().searchable('goose');
      assert.deepEqual((await first?.rows?.(['tests', 'fail'], 5))?.length, 1);
    });

    it('shows new messages of a session that is followed', async () => {
      const rows = database.rows(id);
      const databases = new SqliteProcess();
      const query = <T>(read: Parameters<typeof databases.query<T>>[2]): Promise<T> =>
        databases.query(path, database.tables, read);
      const all = await query((of) => rows.read(of));
      assert.equal(all?.length, 5);
      assert.equal(await query((of) => rows.read(of)), undefined);
      assert.equal(await query((of) => rows.isChanged(of)), false);
      writeDatabase(path, gooseMessage(id, 'user', gooseText('Why?'), 20));
      assert.equal(await query((of) => rows.isChanged(of)), true);
      assert.equal((await query((of) => rows.read(of)))?.length, 1);
    });
  });

  it('is exported as a document that can be read', () => {
    const messages = [gooseText('Run the tests.'), gooseRequest, gooseResponse, gooseFailure];
    const conversation = messages.map((content, n) => {
      const role = n % 2 === 0 ? 'user' : 'assistant';
      return { id: `${n}`, role, created: 1_795_514_400 + n, content: JSON.parse(content) as unknown };
    });
    const session = { id, name: 'Parser tests', working_dir: '/home/dev/project', conversation };
    const text = describeSaved(readSaved(home.write('session.json', JSON.stringify(session))));
    assert.match(text, /session started: goose, in \/home\/dev\/project/);
    assert.match(text, /session .*261124_3: Parser tests \(failed\)/);
    assert.match(text, /developer__shell: sh run-tests\.sh \(failed/);
  });
});
