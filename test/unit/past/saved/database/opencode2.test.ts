import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { database } from '../../../../../src/agents/opencode/database';
import { DatabaseSource } from '../../../../../src/past/saved/database/databaseSource';
import type { SavedSessions, SavedSessionsOptions } from '../../../../../src/past/saved/list/savedSessions';
import type { Databases } from '../../../../../src/past/saved/sqlite';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { objectOf, textOf } from '../../../../../src/text/json';
import { column, rowsOf } from '../../../../support/columns';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { useSavedHome } from '../../../../support/savedSuite';

const fixtures = 'test/fixtures/saved';
const script = readFileSync(join(fixtures, 'opencode-2.sql'), 'utf8');
const created = /CREATE TABLE `(?:session_v2|session_message|session|message|part)`.*;/g;

/** The sessions of the script whose lines are fixtures of their own. */
const recorded: Readonly<Record<string, string>> = {
  tools: 'ses_byhand02tools',
  retry: 'ses_byhand04retry',
  subagent: 'ses_byhand06parent',
  compaction: 'ses_byhand09compact',
  steered: 'ses_byhand11steered',
  fork: 'ses_byhand12fork',
  copied: 'ses_byhand13copied',
  failed: 'ses_byhand15failed',
};

/** Notes the queries and the tables that may be read. */
class NotedDatabases implements Databases {
  readonly queries: string[] = [];
  readonly tables = new Set<string>();
  private readonly sqlite = new SqliteProcess();

  query: Databases['query'] = (path, tables, read) => {
    for (const table of tables) this.tables.add(table);
    return this.sqlite.query(path, tables, (of) =>
      read({
        columns: of.columns,
        page: (sql, ...values) => {
          this.queries.push(sql);
          return of.page(sql, ...values);
        },
      }),
    );
  };
}

describe("OpenCode 2's database", () => {
  if (!hasSqlite) return;

  const home = useSavedHome();
  let path: string;
  let databases: NotedDatabases;
  beforeEach(() => {
    path = home.in('opencode.db');
    databases = new NotedDatabases();
  });
  const write = (): void => writeDatabase(path, script);
  const saved = (options: Partial<SavedSessionsOptions> = {}): SavedSessions =>
    home.sessions({ folders: { opencode: home.path }, databases, ...options });

  async function linesOf(source: DatabaseSource): Promise<readonly string[]> {
    const found: string[] = [];
    for (let lines = await source.read(); lines; lines = await source.read()) {
      found.push(...lines.map(({ text }) => text));
    }
    return found;
  }

  for (const [name, id] of Object.entries(recorded)) {
    it(`has the lines of opencode-2-${name}.jsonl`, async () => {
      write();
      const lines = await linesOf(new DatabaseSource(databases, database, path, id));
      const recording = readFileSync(join(fixtures, `opencode-2-${name}.jsonl`), 'utf8');
      assert.deepEqual(lines, recording.trim().split('\n'));
    });
  }

  it('is listed once, with sessions that only version 1 has', async () => {
    write();
    const { sessions, total } = await saved().list('opencode');
    assert.equal(total, 14);
    const ids = sessions.map(({ id }) => id.slice('ses_byhand'.length));
    assert.deepEqual([...ids].sort(), [
      ...['01answer', '02tools', '03error', '04retry', '05abort', '06parent', '08running', '09compact'],
      ...['10blocked', '11steered', '12fork', '13copied', '14old', '15failed'],
    ]);
    const others = sessions.filter(({ outcome }) => outcome !== 'ok');
    assert.deepEqual(rowsOf(others, 'id', 'outcome'), [
      ...['ses_byhand15failed error', 'ses_byhand08running open', 'ses_byhand05abort cancelled'],
      'ses_byhand03error error',
    ]);
    const [error] = rowsOf(others.slice(-1), 'title', 'problem', 'model');
    assert.equal(error, 'Who may use this? Incorrect API key provided: sk-mock. mock-model');
    assert.equal(sessions.find(({ id }) => id.endsWith('14old'))?.title, 'Version 1 again');
    assert.ok(!sessions.some(({ running }) => running));
  });

  it('reads no table with credentials', async () => {
    write();
    const sessions = saved();
    for (const session of (await sessions.list('opencode')).sessions) {
      await sessions.children(session);
      await linesOf(new DatabaseSource(databases, database, path, session.id));
    }
    for (const one of await sessions.searchable('opencode')) await one.rows?.(['parser'], 5);
    const tables = ['message', 'part', 'session', 'session_message', 'session_v2'];
    assert.deepEqual([...databases.tables].sort(), tables);
    const names = databases.queries.flatMap((sql) => [...sql.matchAll(/\b(?:from|join)\s+(\w+)/g)]);
    assert.deepEqual([...new Set(names.map(([, name]) => name))].sort(), tables);
    assert.ok(!databases.queries.some((sql) => /secret/.test(sql)));
  });

  it('has subagents below the session that started them', async () => {
    write();
    const sessions = saved();
    const parent = await sessions.find('opencode', '06parent');
    assert.ok(parent);
    assert.deepEqual(column(await sessions.children(parent), 'id'), ['ses_byhand07child']);
  });

  it('finds words, and says which session has them', async () => {
    write();
    const [found] = (await saved().searchable('opencode')).filter(({ key }) => key.endsWith('15failed'));
    assert.equal((await found?.rows?.(['Incorrect', 'API key'], 5))?.length, 1);
    assert.equal((await found?.session())?.title, 'Read it all');
  });

  it('runs while its turn is open, and its program runs: a kill leaves the mark behind', async () => {
    write();
    const find = async (program?: { readonly startedAt: number }) => {
      const found = program ? [{ pid: 1, names: new Set<string>(), folder: undefined, ...program }] : [];
      const running = { programs: () => Promise.resolve(found) };
      return (await saved(running).find('opencode', '08running'))?.running;
    };
    assert.equal(await find({ startedAt: 1_795_400_000_000 }), 'yes');
    assert.equal(await find({ startedAt: 1_795_400_900_000 }), undefined);
    assert.equal(await find(), undefined);
  });

  it('is version 1 while it has no session_v2', async () => {
    const old = script.split('\n').filter((line) => /`?\b(?:session|message|part|session_message)\b`? \(/.test(line));
    writeDatabase(path, ...old.filter((line) => !line.startsWith('INSERT INTO session_message')));
    const { sessions } = await saved().list('opencode');
    assert.deepEqual(column(sessions, 'title'), ['Version 1 again', 'From version 1']);
    const lines = await linesOf(new DatabaseSource(databases, database, path, 'ses_byhand13copied'));
    assert.equal(objectOf(objectOf(JSON.parse(lines[1] ?? ''))['info'])['role'], 'user');
  });

  it('may lack the old tables, and have other columns in another order', async () => {
    const [sessions = '', messages = ''] = script.match(created) ?? [];
    const insert = `insert into session_v2 (title, directory, time_updated, time_created, version, slug, project_id, id)
      values ('Early', '/p', 2, 1, '2.0.12', 's', 'p', 'ses_early')`;
    const fewer = reordered(sessions).replace(/`(?:idle_outcome|time_idle|fork_session_id)` \w+, /g, '');
    writeDatabase(path, fewer, messages, insert);
    const list = await saved().list('opencode');
    assert.deepEqual(rowsOf(list.sessions, 'id', 'title', 'outcome', 'folder'), ['ses_early Early open /p']);
    assert.equal((await linesOf(new DatabaseSource(databases, database, path, 'ses_early'))).length, 1);
  });

  it('is read together with those of other release channels, unless one is named', async () => {
    write();
    const tables = script.match(created) ?? [];
    const insert = `insert into session_v2 (id, project_id, slug, directory, version, time_created, time_updated)
      values ('ses_beta', 'p', 's', '/p', '2.1.0-beta', 1, 2)`;
    writeDatabase(home.in('opencode-beta.db'), ...tables, insert);
    const list = await saved().list('opencode');
    assert.equal(list.total, 15);
    assert.equal(list.sessions.at(-1)?.path, home.in('opencode-beta.db'));
    assert.equal((await saved().find('opencode', 'ses_beta'))?.version, '2.1.0-beta');
    const env = { OPENCODE_DB: 'opencode-beta.db' };
    const named = saved({ machine: { platform: process.platform, home: home.path, env } });
    assert.equal((await named.list('opencode')).total, 1);
  });

  it('is followed when rows are added, and when they are rewritten in place', async () => {
    write();
    const id = 'ses_byhand08running';
    const source = new DatabaseSource(databases, database, path, id);
    await linesOf(source);
    const time = { created: 1795400600025, ran: 1795400600027, completed: 1795400699000 };
    const state = { status: 'completed', input: { command: 'sleep 600' }, content: [] };
    const tool = { type: 'tool', id: 'call_11', name: 'shell', state, time };
    const done = JSON.stringify({
      ...{ time: { created: 1795400600020, completed: 1795400700000 }, agent: 'build', finish: 'stop' },
      ...{ model: { id: 'mock-model', providerID: 'mock' }, content: [tool, { type: 'text', text: 'Built.' }] },
    });
    const set = `data = '${done}', time_updated = 1795400700005`;
    writeDatabase(path, `update session_message set ${set} where id = 'msg_byhand0027'`);
    assert.equal(await source.wait(new AbortController().signal), 'grown');
    const types = (lines: readonly string[]) => lines.map((line) => textOf(objectOf(JSON.parse(line))['type']));
    assert.deepEqual(types(await linesOf(source)), ['opencode.content', 'opencode.content', 'opencode.entry']);
    const idle = JSON.stringify({ time: { created: 1 }, outcome: 'succeeded' });
    // The clock was set back.
    writeDatabase(path, `insert into session_message values ('msg_z', '${id}', 'idle', 99, 1, 1, '${idle}')`);
    assert.equal(await source.wait(new AbortController().signal), 'grown');
    assert.deepEqual(types(await linesOf(source)), ['opencode.entry']);
    assert.equal(await source.read(), undefined);
  });

  it('changes nothing', async () => {
    write();
    const before = statSync(path);
    await saved().list('opencode');
    assert.deepEqual(statSync(path).mtimeMs, before.mtimeMs);
    assert.deepEqual(readdirSync(home.path), ['opencode.db']);
  });
});

/** The columns of a table in another order. */
function reordered(sql: string): string {
  return sql.replace(/\((`id`.*)\);$/, (_, columns: string) => `(${columns.split(', ').reverse().join(', ')});`);
}
