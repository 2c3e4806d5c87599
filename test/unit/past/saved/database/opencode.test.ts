import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../../../../src/text/json';
import { arrayOf, objectOf } from '../../../../../src/text/json';
import { documentLines } from '../../../../../src/agents/agents';
import { database } from '../../../../../src/agents/opencode/database';
import { DatabaseSource } from '../../../../../src/past/saved/database/databaseSource';
import type { Databases } from '../../../../../src/past/saved/sqlite';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { column } from '../../../../support/columns';
import { databaseOf, fakeDatabases, hasSqlite, writeDatabase } from '../../../../support/databases';
import { useSavedHome } from '../../../../support/savedSuite';

const exported = objectOf(JSON.parse(readFileSync('test/fixtures/saved/opencode-export.json', 'utf8')) as unknown);
const info = objectOf(exported['info']);
const id = String(info['id']);

/** Rows as OpenCode 1.18 has them. */
interface Tables {
  readonly session: JsonObject[];
  readonly message: JsonObject[];
  readonly part: JsonObject[];
}

describe("OpenCode's database", () => {
  const home = useSavedHome();

  it('lists sessions', async () => {
    const [session] = await database.sessions(databaseOf(() => tables().session));
    const { title, model, lastAt, ...rest } = session ?? assert.fail('no session');
    assert.deepEqual([rest.id, title, model, lastAt], [id, 'Look at a small project', 'mock-model', 1_795_340_150_202]);
  });

  it('is searched in parts and in messages, which have the errors', async () => {
    const of = databaseOf((sql, values) => {
      assert.match(sql, /from part\s[^]* union all [^]* from message\s[^]* order by time_created limit 5$/);
      assert.equal(sql.split('?').length - 1, values.length);
      return tables().message.slice(-1);
    });
    const [found] = await database.matches({ ...of, columns: new Map([['session', new Set(['id'])]]) }, id, ['api'], 5);
    assert.match(found?.text ?? '', /Incorrect API key/);
  });

  if (hasSqlite) {
    it('finds the words of an error', async () => {
      const path = home.in('opencode.db');
      writeDatabase(path, ...statements(tables()));
      const found = await new SqliteProcess().query(path, database.tables, (of) =>
        database.matches(of, id, ['incorrect'], 5),
      );
      assert.equal(found.length, 1);
    });

    it('names a session after its first prompt until the model has named it', async () => {
      const path = home.in('kilo.db');
      writeDatabase(path, readFileSync('test/fixtures/saved/kilo.sql', 'utf8'));
      const listed = await new SqliteProcess().query(path, database.tables, async (of) => {
        const sessions = await database.sessions(of);
        return Promise.all(sessions.map(async (row) => row.title ?? (await database.outcome(of, row.id)).title));
      });
      assert.deepEqual(listed.sort(), ['"Who may use this"', '"run the tests"']);
      const fork = 'ses_00000000000000000000000001';
      writeDatabase(
        path,
        `insert into session (id, directory, title, version, time_created, time_updated)
           select '${fork}', directory, title || ' (fork #1)', version, 2000000000000, 2000000000000 from session
           where title like 'New session%' limit 1`,
        `insert into message (id, session_id, time_created, time_updated, data)
           select 'old' || id, '${fork}', time_created, time_updated, data from message`,
        `insert into message values ('own', '${fork}', 2000000000001, 2000000000001, '{"role":"user"}')`,
        `insert into part values ('own', 'own', '${fork}', 2000000000002, 2000000000002, '{"type":"text","text":"And now?"}')`,
      );
      const named = await new SqliteProcess().query(path, database.tables, async (of) => {
        const [row] = (await database.sessions(of)).filter(({ id }) => id === fork);
        return row?.title ?? (await database.outcome(of, fork)).title;
      });
      assert.equal(named, 'And now?');
    });

    it('knows what a fork copied, by the times of its messages, and from where', async () => {
      const path = home.in('opencode.db');
      writeDatabase(path, ...statements(forked()));
      const [fork, origin, used] = await new SqliteProcess().query(path, database.tables, async (of) => [
        await database.outcome(of, 'fork'),
        await database.outcome(of, 'origin'),
        await database.usages(of, 0),
      ]);
      assert.deepEqual([fork.forkedFrom, origin.forkedFrom], ['origin', undefined]);
      const counted = used.requests.map(({ session, usage }) => [session, usage?.inputTokens]);
      assert.deepEqual(counted.sort(), [
        ['fork', 7],
        ['origin', 100],
      ]);
    });
  }

  it('shows how the newest turn ended', async () => {
    const newest = databaseOf(() => tables().message.slice(-1));
    assert.deepEqual(await database.outcome(newest, id), {
      lastAt: 1_795_340_149_219,
      outcome: 'error',
      problem: 'Incorrect API key provided: sk-mock.',
    });
  });

  it('lists sessions whose last message came since then, though their rows are older', async () => {
    home.write('opencode.db', '');
    const hour = 3_600_000;
    const row = (name: string, updated: number): JsonObject => {
      return { id: name, directory: '/home/dev', title: name, time_created: 0, time_updated: updated * hour };
    };
    const last: Readonly<Record<string, number>> = { quiet: 40, long: 50, new: 60 };
    const databases = fakeDatabases((sql, [name = '']) => {
      if (sql.includes('from message where')) return [{ data: '{}', time_updated: (last[name] ?? 0) * hour }];
      return sql.includes('where true') ? [row('new', 60), row('long', 40), row('quiet', 39), row('old', 3)] : [];
    });
    const saved = home.sessions({ folders: { opencode: home.path }, databases });
    const { sessions, total } = await saved.list('opencode', { since: 48 * hour });
    assert.deepEqual([column(sessions, 'id'), total], [['new', 'long'], 4]);
  });

  for (const kind of hasSqlite ? (['rows in memory', 'SQLite'] as const) : (['rows in memory'] as const)) {
    describe(`with ${kind}`, () => {
      let rows: Tables;
      let path: string;
      let databases: Databases;
      let queries: string[];

      beforeEach(() => {
        rows = tables();
        queries = [];
        path = home.in('opencode.db');
        databases = kind === 'SQLite' ? new SqliteProcess() : fakeOpencode(rows, queries);
        save();
      });

      function save(): void {
        if (kind === 'SQLite') {
          rmSync(path, { force: true });
          writeDatabase(path, ...statements(rows));
        } else writeFileSync(path, JSON.stringify(rows));
      }

      it('has the same lines as opencode export', async () => {
        const own = documentLines(exported) ?? [];
        const lines = await all(new DatabaseSource(databases, database, path, id));
        assert.deepEqual(
          column(lines, 'type'),
          own.map(({ line }) => line['type']),
        );
        assert.deepEqual(lines.at(-1)?.['ts'], own.at(-1)?.line['ts']);
        await assert.rejects(
          new DatabaseSource(databases, database, path, 'ses_none').read(),
          /it has no such session/,
        );
      });

      it('is read from the newest change on when it grows', async () => {
        const source = new DatabaseSource(databases, database, path, id);
        await all(source);
        queries.length = 0;
        const { part } = rows;
        const last = part.at(-1)!;
        const at = 1_795_340_150_900;
        const said = { type: 'text', text: 'Once more.', time: { start: at, end: at } };
        const added = { ...last, id: 'prt_zz', time_created: at, time_updated: at, data: JSON.stringify(said) };
        part.push(added);
        save();
        assert.equal(await source.wait(new AbortController().signal), 'grown');
        const lines = await all(source);
        assert.deepEqual(
          lines.map((line) => objectOf(line['part'])['text']),
          ['Once more.'],
        );
        // Of all rows, only the changed part, and its message.
        if (kind === 'rows in memory') assert.equal(queries.filter((sql) => sql.includes('from part')).length, 4);
        assert.equal(await source.read(), undefined);
      });

      it('has the end of a tool that changed while later rows were read', async () => {
        const source = new DatabaseSource(databases, database, path, id);
        const tool = rows.part.find(({ data }) => String(data).includes('"tool"'))!;
        const { data, time_updated: since } = tool;
        Object.assign(tool, { data: String(data).replace('"status":"completed"', '"status":"running"') });
        const last = rows.message.at(-1)!;
        // So many messages that they aren't read at once.
        for (let n = 0; n < 40; n++) rows.message.push({ ...last, id: `msg_z${n}`, time_created: 1000 + n });
        save();
        await source.read();
        Object.assign(tool, { data, time_updated: Number(since) + 5000 });
        Object.assign(rows.message.at(-1)!, { time_updated: Number(since) + 6000 });
        save();
        const first = await all(source);
        assert.ok(first.length > 0);
        assert.equal(await source.wait(new AbortController().signal), 'grown');
        const states = (await all(source)).map((line) => objectOf(objectOf(line['part'])['state'])['status']);
        assert.deepEqual(
          states.filter((state) => state !== undefined),
          ['completed'],
        );
      });
    });
  }
});

async function all(source: DatabaseSource): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let lines = await source.read(); lines; lines = await source.read()) {
    found.push(...lines.map(({ text }) => objectOf(JSON.parse(text) as unknown)));
  }
  return found;
}

function tables(): Tables {
  const messages = arrayOf(exported['messages']).map(objectOf);
  const updated = 1_795_340_150_202;
  const text = (value: unknown): string => JSON.stringify(value);
  const session = { ...info, parent_id: null, model: text(info['model']), time_created: 1, time_updated: updated };
  const timed = (index: number) => ({ session_id: id, time_created: index, time_updated: updated - 1000 + index });
  return {
    session: [session],
    message: messages.map((message, index) => {
      const { id: own, ...data } = objectOf(message['info']);
      return { id: own, data: text(data), ...timed(index) };
    }),
    part: messages
      .flatMap((message) => arrayOf(message['parts']))
      .map((part, index) => {
        const { id: own, messageID: message_id, ...data } = objectOf(part);
        return { id: own, message_id, data: text(data), ...timed(index) };
      }),
  };
}

/** A session with a turn of 100 tokens, and its fork, which copied that turn and has one of 7 tokens. */
function forked(): Tables {
  const session = (own: string, time_created: number): JsonObject => {
    return { id: own, parent_id: null, directory: '/home/dev', title: own, time_created, time_updated: 99 };
  };
  const message = (session_id: string, own: string, time_created: number): JsonObject => {
    return { id: own, session_id, data: { role: 'assistant', finish: 'stop' }, time_created, time_updated: 99 };
  };
  const part = (session_id: string, message_id: string, input: number): JsonObject => {
    const data = JSON.stringify({ type: 'step-finish', tokens: { input, output: 1 } });
    return { id: `${message_id}p`, message_id, session_id, data, time_created: 50, time_updated: 99 };
  };
  return {
    session: [session('origin', 10), session('fork', 20)],
    message: [message('origin', 'm1', 11), message('fork', 'm2', 11), message('fork', 'm3', 21)],
    part: [part('origin', 'm1', 100), part('fork', 'm2', 100), part('fork', 'm3', 7)],
  };
}

/** Answers the queries of `OpencodeSource`. */
function fakeOpencode({ session, message, part }: Tables, queries: string[]): Databases {
  const after = (rows: readonly JsonObject[], since: unknown, [created, own]: readonly unknown[]): JsonObject[] =>
    rows.filter(
      (row) =>
        Number(row['time_updated']) >= Number(since) &&
        (Number(row['time_created']) > Number(created) ||
          (row['time_created'] === created && String(row['id']) > String(own))),
    );
  return fakeDatabases((sql, values) => {
    queries.push(sql);
    const [first, second] = values;
    if (sql.includes('from session')) return session.filter((row) => row['id'] === first);
    if (sql.startsWith('select max(')) {
      return [{ at: Math.max(...[...message, ...part].map((row) => Number(row['time_updated']))) }];
    }
    if (sql.includes('exists')) {
      const isNewer = [...message, ...part].some((row) => Number(row['time_updated']) > Number(second));
      return [{ is_newer: isNewer ? 1 : 0 }];
    }
    if (sql.includes('union all')) {
      const ids = [...message, ...part]
        .filter((row) => Number(row['time_updated']) >= Number(second))
        .map((row) => row['message_id'] ?? row['id']);
      return [...new Set(ids)].map((one) => ({ message: one }));
    }
    if (sql.includes('from message where id')) return message.filter((row) => row['id'] === first);
    if (sql.includes('from part')) {
      const own = part.filter((row) => row['message_id'] === first);
      return after(own, values[2], values.slice(3));
    }
    return first === id ? after(message, 0, values.slice(1)).slice(0, 20) : [];
  });
}

function statements({ session, message, part }: Tables): readonly string[] {
  const literal = (value: unknown): string =>
    value === null || value === undefined
      ? 'null'
      : typeof value === 'number'
        ? String(value)
        : `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
  const insert = (table: string, names: readonly string[], rows: readonly JsonObject[]): readonly string[] =>
    rows.map((row) => `insert into ${table} values (${names.map((name) => literal(row[name])).join(', ')})`);
  const columns = {
    session: ['id', 'parent_id', 'directory', 'title', 'version', 'model', 'time_created', 'time_updated'],
    message: ['id', 'session_id', 'data', 'time_created', 'time_updated'],
    part: ['id', 'message_id', 'session_id', 'data', 'time_created', 'time_updated'],
  };
  return [
    ...Object.entries(columns).map(([table, names]) => `create table ${table} (${names.join(', ')})`),
    ...insert('session', columns.session, session),
    ...insert('message', columns.message, message),
    ...insert('part', columns.part, part),
  ];
}
