import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database } from '../../../../../src/agents/opencode/database';
import { DatabaseSource } from '../../../../../src/runs/saved/database/databaseSource';
import { SavedSessions } from '../../../../../src/runs/saved/savedSessions';
import type { Databases } from '../../../../../src/runs/saved/sqlite';
import { SqliteProcess } from '../../../../../src/runs/saved/sqlite';
import { objectOf, textOf } from '../../../../../src/log/json';
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

  function saved(now = 1_796_000_000_000): SavedSessions {
    const folders = { opencode: folder };
    return new SavedSessions({ ...savedHomeOptions(home), folders, databases, now: () => now });
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
      sessions
        .map(({ id, outcome }) => [id.slice('ses_byhand'.length), outcome])
        .filter(([, how]) => how !== 'completed'),
      [
        ['15failed', 'failed'],
        ['08running', 'open'],
        ['05abort', 'interrupted'],
        ['03error', 'failed'],
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

  it('runs while a turn is suspended and rows were just written', async () => {
    writeDatabase(path, script);
    const find = async (now: number) => (await saved(now).find('opencode', '08running'))?.running;
    assert.equal(await find(1_795_400_600_500), 'likely');
    // Killed.
    assert.equal(await find(1_795_400_900_000), undefined);
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

  describe('after version 1 continued a session that was copied', () => {
    const id = 'ses_byhand13copied';
    /** A turn that began at this time. */
    const turn = (at: number, name: string, prompt: string, rest: object = { finish: 'stop' }): readonly string[] => {
      const model = { modelID: 'mock-model', providerID: 'mock' };
      const text = (value: object): string => JSON.stringify(value);
      const asked = text({ role: 'user', time: { created: at }, model });
      const answered = text({ role: 'assistant', ...model, time: { created: at + 10, completed: at + 90 }, ...rest });
      const used = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
      const parts: readonly (readonly [string, number, object])[] = [
        ['a', at, { type: 'text', text: prompt }],
        ['b', at + 20, { type: 'text', text: `Answer to: ${prompt}`, time: { start: at + 20, end: at + 30 } }],
        ['b', at + 40, { type: 'step-finish', reason: 'stop', cost: 0.5, tokens: used }],
      ];
      return [
        `insert into message values ('msg_${name}a', '${id}', ${at}, ${at}, '${asked}')`,
        `insert into message values ('msg_${name}b', '${id}', ${at + 10}, ${at + 90}, '${answered}')`,
        ...parts.map(
          ([message, created, data], index) =>
            `insert into part values ('prt_${name}${index}', 'msg_${name}${message}', '${id}', ${created}, ${created}, '${text(data)}')`,
        ),
        `update session set time_updated = ${at + 90} where id = '${id}'`,
      ];
    };
    const before = turn(1_795_401_305_000, 'between', 'Before version 2 went on');
    const error = { name: 'APIError', data: { message: 'Overloaded', statusCode: 529 } };
    const after = turn(1_795_401_310_000, 'zafter', 'After version 2 went on', { error });

    async function promptsOf(source: DatabaseSource): Promise<readonly string[]> {
      return (await linesOf(source)).flatMap((line) => {
        const { entry, part } = objectOf(JSON.parse(line));
        const prompt = objectOf(entry)['type'] === 'user' ? textOf(objectOf(entry)['text']) : undefined;
        return prompt ?? textOf(objectOf(part)['text']) ?? [];
      });
    }

    it('has each turn once, in the order in which they began', async () => {
      writeDatabase(path, script, ...before, ...after);
      assert.deepEqual(await promptsOf(new DatabaseSource(databases, database, path, id)), [
        ...['Which parser is it?', 'A small one.', 'Is it fast?', 'It is.'],
        ...['Before version 2 went on', 'Answer to: Before version 2 went on'],
        ...['Continue in version 2', 'Gladly.'],
        ...['After version 2 went on', 'Answer to: After version 2 went on'],
      ]);
    });

    it('ends as its newest turn did', async () => {
      writeDatabase(path, script, ...before);
      const find = () => saved().find('opencode', id);
      assert.equal((await find())?.outcome, 'completed');
      writeDatabase(path, ...after);
      const { outcome, problem, lastAt, title, model } = (await find())!;
      assert.deepEqual(
        { outcome, problem, lastAt, title, model },
        {
          outcome: 'failed',
          problem: 'Overloaded',
          lastAt: 1_795_401_310_090,
          title: 'From version 1',
          model: 'mock-model',
        },
      );
      const { sessions, total } = await saved().list('opencode');
      assert.equal(total, 14);
      assert.equal(sessions.filter((session) => session.id === id).length, 1);
    });

    it('is found by words of version 1, each once, and counts what version 1 used', async () => {
      writeDatabase(path, script, ...before, ...after);
      const [found] = (await saved().searchable('opencode')).filter(({ key }) => key.endsWith(id));
      assert.equal((await found?.rows?.(['version', 'went'], 10))?.length, 4);
      assert.equal((await found?.rows?.(['parser'], 10))?.length, 1);
      const cost = async (): Promise<number> => (await saved(1_795_401_400_000).used('opencode')).week.costUsd;
      const all = await cost();
      writeDatabase(path, `delete from part where id like 'prt_between%' or id like 'prt_zafter%'`);
      assert.equal(Math.round((all - (await cost())) * 1000), 1000);
    });

    it('is followed in both tables', async () => {
      writeDatabase(path, script, ...before);
      const source = new DatabaseSource(databases, database, path, id);
      assert.equal((await promptsOf(source)).length, 8);
      writeDatabase(path, ...after);
      assert.equal(await source.wait(new AbortController().signal), 'grown');
      assert.deepEqual(await promptsOf(source), ['After version 2 went on', 'Answer to: After version 2 went on']);
      const asked = JSON.stringify({ time: { created: 1_795_401_320_000 }, text: 'Version 2 again' });
      writeDatabase(
        path,
        `insert into session_message values ('msg_zz', '${id}', 'user', 30, 1795401320000, 1795401320000, '${asked}')`,
      );
      assert.equal(await source.wait(new AbortController().signal), 'grown');
      assert.deepEqual(await promptsOf(source), ['Version 2 again']);
      assert.equal(await source.read(), undefined);
    });

    it('is followed when version 1 continues it for the first time', async () => {
      writeDatabase(path, script);
      const source = new DatabaseSource(databases, database, path, id);
      await linesOf(source);
      writeDatabase(path, ...after);
      assert.equal(await source.wait(new AbortController().signal), 'grown');
      assert.deepEqual(await promptsOf(source), ['After version 2 went on', 'Answer to: After version 2 went on']);
    });

    it('has none of the older messages that version 2 left out', async () => {
      const left = turn(1_795_401_300_500, 'left', 'Left out by version 2').slice(1);
      writeDatabase(path, script, ...left);
      const prompts = await promptsOf(new DatabaseSource(databases, database, path, id));
      assert.deepEqual(prompts.slice(-2), ['Continue in version 2', 'Gladly.']);
      assert.equal(prompts.length, 6);
    });
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
