import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { messageOf } from '../../../src/text/humanError';
import { SqliteProcess } from '../../../src/past/saved/sqlite';
import { livingIn } from '../../agents/processes';
import { hasSqlite, writeDatabase } from '../../support/databases';
import type { Fault } from '../fault';
import { until } from '../waiting';

const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) as x from n';
const limit = 1000;
/** Maximum time for which the event loop may be blocked, in milliseconds. */
const mayBlock = 200;
const unable = (): string | undefined => (hasSqlite ? undefined : 'this Node.js has no SQLite');

/** Refuses views as agents' databases are read, and gives up a query that doesn't end all the same. */
export const hungDatabase: Fault = {
  name: 'database with an endless view, and a query that never ends',
  unable,
  async bringAbout(stage) {
    const path = join(stage.folder, 'agent.db');
    writeDatabase(path, `create view session as ${endless}`, 'create table part (x)');
    const databases = new SqliteProcess(limit);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const ask = (sql: string, ...tables: readonly string[]): Promise<string> =>
      databases
        .query(path, tables, (database) => database.page(sql))
        .then(({ rows }) => `${rows.length} rows`, messageOf);
    const answers = [
      await ask('select x from session', 'session'),
      await ask(endless),
      await ask('select x from part', 'part'),
    ];
    delays.disable();
    const blocked = delays.max / 1e6;
    const wanted = ['session is not an ordinary table', `it took longer than ${limit / 1000} s`, '0 rows'];
    return {
      sent: `${answers.length} queries`,
      lost: 0,
      failures: [
        ...wanted.flatMap((one, at) => (answers[at] === one ? [] : [`not "${one}" but "${answers[at] ?? ''}"`])),
        ...(blocked > mayBlock ? [`blocked for ${Math.round(blocked)} ms`] : []),
      ],
      note: `blocked for at most ${Math.round(blocked)} ms`,
    };
  },
};

/** A query that never ends doesn't outlive the extension host. */
export const hostKilledInQuery: Fault = {
  name: 'extension host killed with SIGKILL while a query of a database hangs',
  unable,
  async bringAbout(stage) {
    const path = join(stage.folder, 'agent.db');
    writeDatabase(path, 'create table part (x)');
    const module = pathToFileURL(join('src', 'past', 'saved', 'sqlite.ts')).href;
    const script = `import(${JSON.stringify(module)}).then(({ SqliteProcess }) =>
      new SqliteProcess(60000).query(${JSON.stringify(path)}, [], (database) => database.page(${JSON.stringify(endless)})));`;
    const host = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: { PATH: process.env['PATH'] ?? '', HOME: stage.folder },
      stdio: 'ignore',
    });
    await until(() => livingIn(stage.folder).length === 2, 10_000);
    const before = livingIn(stage.folder).length;
    host.kill('SIGKILL');
    const gone = await until(() => livingIn(stage.folder).length === 0, 8000);
    return {
      sent: '1 query',
      lost: 0,
      failures: before === 2 ? [] : [`there were ${before} processes, not 2`],
      note: `gone after ${gone ?? 'more than 8000'} ms`,
    };
  },
};
