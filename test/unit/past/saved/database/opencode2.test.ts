import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database } from '../../../../../src/agents/opencode/database';
import { DatabaseSource } from '../../../../../src/past/saved/database/databaseSource';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { Databases } from '../../../../../src/past/saved/sqlite';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { objectOf, textOf } from '../../../../../src/text/json';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { savedHomeOptions } from '../../../../support/savedHome';

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

  let home: string;
  let folder: string;
  let path: string;
  let databases: NotedDatabases;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    folder = home;
    path = join(folder, 'opencode.db');
    databases = new NotedDatabases();
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function saved(options: Partial<ConstructorParameters<typeof SavedSessions>[0]> = {}): SavedSessions {
    const folders = { opencode: folder };
    return new SavedSessions({ ...savedHomeOptions(home), folders, databases, ...options });
  }

  async function linesOf(source: DatabaseSource): Promise<readonly string[]> {
    const found: string[] = [];
    for (let lines = await source.read(); lines; lines = await source.read()) {
      found.push(...lines.map(({ text }) => text));
    }
    return found;
  }

  for (const [name, id] of Object.entries(recorded)) {
    it(`has the lines of opencode-2-${name}.jsonl`, async () => {
      writeDatabase(path, script);
      const lines = await linesOf(new DatabaseSource(databases, database, path, id));
      assert.deepEqual(
        lines,
        readFileSync(join(fixtures, `opencode-2-${name}.jsonl`), 'utf8')
          .trim()
          .split('\n'),
      );
    });
  }

  it('is listed once, with sessions that only version 1 has', async () => {
    writeDatabase(path, script);
    const { sessions, total } = await saved().list('opencode');
    assert.equal(total, 14);
    const ids = sessions.map(({ id }) => id.slice('ses_byhand'.length));
    assert.deepEqual([...ids].sort(), [
      ...['01answer', '02tools', '03error', '04retry', '05abort', '06parent', '08running', '09compact'],
      ...['10blocked', '11steered', '12fork', '13copied', '14old', '15failed'],
    ]);
    const find = (end: string) => sessions.find(({ id }) => id.endsWith(end));
    assert.deepEqual(
      sessions.map(({ id, outcome }) => [id.slice('ses_byhand'.length), outcome]).filter(([, how]) => how !== 'ok'),
      [
        ['15failed', 'error'],
        ['08running', 'open'],
        ['05abort', 'cancelled'],
        ['03error', 'error'],
      ],
    );
    assert.equal(find('03error')?.title, 'Who may use this?');
    assert.equal(find('03error')?.problem, 'Incorrect API key provided: sk-mock.');
    assert.equal(find('03error')?.model, 'mock-model');
    assert.equal(find('14old')?.title, 'Version 1 again');
    assert.ok(!sessions.some(({ running }) => running));
  });

  it('reads no table with credentials', async () => {
    writeDatabase(path, script);
    const sessions = saved();
    for (const session of (await sessions.list('opencode')).sessions) {
      await sessions.children(session);
      await linesOf(new DatabaseSource(databases, database, path, session.id));
    }
    for (const one of await sessions.searchable('opencode')) await one.rows?.(['parser'], 5);
    assert.deepEqual([...databases.tables].sort(), ['message', 'part', 'session', 'session_message', 'session_v2']);
    const read = databases.queries.flatMap((sql) =>
      [...sql.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, name]) => name),
    );
    assert.deepEqual([...new Set(read)].sort(), ['message', 'part', 'session', 'session_message', 'session_v2']);
    assert.ok(!databases.queries.some((sql) => /secret/.test(sql)));
  });

  it('has subagents below the session that started them', async () => {
    writeDatabase(path, script);
    const sessions = saved();
    const parent = await sessions.find('opencode', '06parent');
    assert.ok(parent);
    assert.deepEqual(
      (await sessions.children(parent)).map(({ id }) => id),
      ['ses_byhand07child'],
    );
  });

  it('finds words, and says which session has them', async () => {
    writeDatabase(path, script);
    const [found] = (await saved().searchable('opencode')).filter(({ key }) => key.endsWith('15failed'));
    assert.equal((await found?.rows?.(['Incorrect', 'API key'], 5))?.length, 1);
    assert.equal((await found?.session())?.title, 'Read it all');
  });

  it('runs while its turn is open, and its program runs: a kill leaves the mark behind', async () => {
    writeDatabase(path, script);
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
    assert.deepEqual(
      sessions.map(({ title }) => title),
      ['Version 1 again', 'From version 1'],
    );
    const lines = await linesOf(new DatabaseSource(databases, database, path, 'ses_byhand13copied'));
    assert.equal(objectOf(objectOf(JSON.parse(lines[1] ?? ''))['info'])['role'], 'user');
  });

  it('may lack the old tables, and have other columns in another order', async () => {
    const [sessions = '', messages = ''] = script.match(created) ?? [];
    const insert = `insert into session_v2 (title, directory, time_updated, time_created, version, slug, project_id, id)
      values ('Early', '/p', 2, 1, '2.0.12', 's', 'p', 'ses_early')`;
    writeDatabase(
      path,
      reordered(sessions).replace(/`(?:idle_outcome|time_idle|fork_session_id)` \w+, /g, ''),
      messages,
      insert,
    );
    const list = await saved().list('opencode');
    assert.deepEqual(
      list.sessions.map(({ id, title, outcome, folder: at }) => ({ id, title, outcome, at })),
      [{ id: 'ses_early', title: 'Early', outcome: 'open', at: '/p' }],
    );
    assert.equal((await linesOf(new DatabaseSource(databases, database, path, 'ses_early'))).length, 1);
  });

  it('is read together with those of other release channels, unless one is named', async () => {
    writeDatabase(path, script);
    const tables = script.match(created) ?? [];
    const insert = `insert into session_v2 (id, project_id, slug, directory, version, time_created, time_updated)
      values ('ses_beta', 'p', 's', '/p', '2.1.0-beta', 1, 2)`;
    writeDatabase(join(folder, 'opencode-beta.db'), ...tables, insert);
    const list = await saved().list('opencode');
    assert.equal(list.total, 15);
    assert.equal(list.sessions.at(-1)?.path, join(folder, 'opencode-beta.db'));
    assert.equal((await saved().find('opencode', 'ses_beta'))?.version, '2.1.0-beta');
    const machine = { platform: process.platform, home, env: { OPENCODE_DB: 'opencode-beta.db' } };
    const named = new SavedSessions({ ...savedHomeOptions(home), folders: { opencode: folder }, databases, machine });
    assert.equal((await named.list('opencode')).total, 1);
  });

  it('is followed when rows are added, and when they are rewritten in place', async () => {
    writeDatabase(path, script);
    const id = 'ses_byhand08running';
    const source = new DatabaseSource(databases, database, path, id);
    await linesOf(source);
    const done = JSON.stringify({
      time: { created: 1795400600020, completed: 1795400700000 },
      agent: 'build',
      model: { id: 'mock-model', providerID: 'mock' },
      content: [
        {
          type: 'tool',
          id: 'call_11',
          name: 'shell',
          state: { status: 'completed', input: { command: 'sleep 600' }, content: [] },
          time: { created: 1795400600025, ran: 1795400600027, completed: 1795400699000 },
        },
        { type: 'text', text: 'Built.' },
      ],
      finish: 'stop',
    });
    writeDatabase(
      path,
      `update session_message set data = '${done}', time_updated = 1795400700005 where id = 'msg_byhand0027'`,
    );
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
    writeDatabase(path, script);
    const before = statSync(path);
    await saved().list('opencode');
    assert.deepEqual(statSync(path).mtimeMs, before.mtimeMs);
    assert.deepEqual(readdirSync(folder), ['opencode.db']);
  });
});

/** The columns of a table in another order. */
function reordered(sql: string): string {
  return sql.replace(/\((`id`.*)\);$/, (_, columns: string) => `(${columns.split(', ').reverse().join(', ')});`);
}
