import assert from 'node:assert/strict';
import { allRows } from '../../../../src/agents/database';
import { SqliteProcess } from '../../../../src/past/saved/sqlite';
import { isAlive } from '../../../../src/machine/processAlive';
import { column } from '../../../support/columns';
import { hasSqlite, writeDatabase } from '../../../support/databases';
import { useFolder } from '../../../support/tempFolder';

describe('a database of an agent', () => {
  const home = useFolder();
  const path = (): string => home.in('agent.db');
  const none = (): Promise<void> => Promise.resolve();

  it('says which Node.js it needs', async () => {
    const databases = new SqliteProcess(5000, 'unused', false);
    const why = new RegExp(`needs Node\\.js 22\\.15 or later, this is ${process.version}`);
    await assert.rejects(databases.query(path(), [], none), why);
  });

  it('is given up if a query takes too long, and can be read again', async () => {
    const hangs = `
      process.on('message', ({ id, sql }) => {
        if (sql === 'select 1') for (;;);
        process.send({ id, rows: [{ sql }] });
      });
      process.send({ id: 0 });`;
    const databases = new SqliteProcess(300, hangs, true);
    const read = (sql: string) => databases.query(path(), [], (database) => allRows(database, sql));
    const both = [read('select 1'), read('select 2')];
    await assert.rejects(both[0]!, /^WordsError: it took longer than 0\.3 s|^Error: it took longer than 0\.3 s/);
    assert.deepEqual(await both[1], [{ sql: 'select 2' }]);
  });

  it('whose process ends is an error, not a hang', async () => {
    const ends = `process.on('message', () => process.exit(1)); process.send({ id: 0 });`;
    const databases = new SqliteProcess(5000, ends, true);
    await assert.rejects(databases.query(path(), [], none), /has ended/);
  });

  for (const [code, said, advice] of [
    [5, 'database is locked', /^another program has locked it \(database is locked\)\. Try again in a moment\.$/],
    [262, 'database table is locked', /locked it .*Try again/],
    [11, 'database disk image is malformed', /^it is damaged .*\(database disk image is malformed\).*copy it again/],
    [26, 'file is not a database', /^it is damaged or isn't a database \(file is not a database\)\..*copy it again/],
    [14, 'unable to open database file', /^unable to open database file\. Check the permissions/],
    [1, 'no such column: x', /^no such column: x$/],
    [undefined, 'session is not an ordinary table', /^session is not an ordinary table$/],
  ] as const) {
    it(`says what to do about "${said}"`, async () => {
      const answer = JSON.stringify({ error: said, code });
      const fails = `
        process.on('message', ({ id, type }) => process.send({ id, ...(type === 'open' && ${answer}) }));
        process.send({ id: 0 });`;
      const read = new SqliteProcess(5000, fails, true).query(path(), [], none);
      await assert.rejects(read, ({ message }: Error) => advice.test(message));
    });
  }

  it('can be read after the process was killed', async () => {
    const pids = `
      process.on('message', ({ id, type }) => process.send({ id, rows: type === 'select' ? [{ pid: process.pid }] : [] }));
      process.send({ id: 0 });`;
    const databases = new SqliteProcess(5000, pids, true);
    const pid = async (): Promise<number> => {
      const [row] = await databases.query(path(), [], (database) => allRows(database, 'select'));
      return Number(row?.['pid']);
    };
    const first = await pid();
    process.kill(first, 'SIGKILL');
    const second = await pid(); // Its end isn't known yet.
    process.kill(second, 'SIGKILL');
    while (isAlive(second)) await new Promise(setImmediate);
    const third = await pid();
    assert.equal(new Set([first, second, third]).size, 3);
    process.kill(third, 'SIGKILL');
  });

  // Elsewhere, the first test is all that can be known.
  const ordinary = 'create table session (id, title)';
  const refused: Readonly<Record<string, readonly string[]>> = {
    'a view that never ends': [
      'create view session as with recursive n(id) as (select 1 union all select id + 1 from n) select max(id) as id from n',
    ],
    'a virtual table': ['create virtual table session using fts5(id)'],
    'a column that is computed': ["create table session (id, title as (printf('%1000000d', id)))"],
    'a view that the schema calls a table': [
      ordinary,
      'pragma writable_schema = on',
      "update sqlite_master set sql = 'create view session as select 1 as id', rootpage = 0 where name = 'session'",
    ],
    'no such table': ['create table other (id)'],
  };
  for (const [name, statements] of Object.entries(hasSqlite ? refused : {})) {
    it(`isn't read from ${name}`, async () => {
      writeDatabase(path(), ...statements);
      const sqlite = new SqliteProcess(3000);
      const read = sqlite.query(path(), ['session'], (of) => allRows(of, 'select id from session'));
      await assert.rejects(read, /ordinary table|no such table|malformed|corrupt/);
    });
  }

  if (!hasSqlite) return;

  it('is what SQLite can read', async () => {
    const noDatabase = new SqliteProcess().query('package.json', [], none);
    await assert.rejects(noDatabase, /Error: it is damaged or isn't a database \(file is not a database\)/);
    const folder = new SqliteProcess().query(home.in('none', 'a.db'), [], none);
    await assert.rejects(folder, /Check the permissions/);
  });

  it('is read in pages of bounded size', async () => {
    const five = 'with recursive n(value) as (select 1 union all select value + 1 from n limit 5) select value from n';
    const rows = `insert into session select value, hex(zeroblob(1500000)) from (${five})`;
    writeDatabase(path(), ordinary, rows);
    const page = await new SqliteProcess().query(path(), ['session'], (of) =>
      of.page('select id, title from session order by id'),
    );
    assert.deepEqual([column(page.rows, 'id'), page.isCut], [[1, 2], true]);
  });
});
