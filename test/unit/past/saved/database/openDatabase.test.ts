import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { inEnglish } from '../../../../../src/text/translator';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { useCli } from '../../../../support/cli';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { savedHomeEnv } from '../../../../support/savedHome';
import { useSavedHome } from '../../../../support/savedSuite';

describe('sessions that are in no database that can be read', () => {
  const home = useSavedHome();

  it('of OpenCode need a Node.js that supports SQLite', async () => {
    home.write('.local/share/opencode/opencode.db', 'SQLite format 3\0');
    const list = await home.sessions().list('opencode');
    assert.deepEqual(list.sessions, []);
    const why = hasSqlite ? /^OpenCode's database can't be read/ : /needs Node\.js 22\.15 or later/;
    assert.match(inEnglish(list.problem!), why);
  });

  it('of OpenCode before it had a database: a sentence says how they get there', async () => {
    const problem = async (): Promise<string> => {
      const { sessions: none, problem: words } = await home.sessions().list('opencode');
      assert.deepEqual(none, []);
      return words ? inEnglish(words) : '';
    };
    assert.equal(await problem(), '');
    mkdirSync(home.in('.local/share/opencode/storage/session/p1'), { recursive: true });
    const advice = /^OpenCode before 1\.2 saved the sessions in .*session\. Start OpenCode 1\.2 or later/;
    assert.match(await problem(), advice);
    assert.ok((await home.sessions().agents()).some(({ agent }) => agent === 'opencode'));
    home.write('.local/share/opencode/opencode.db', '');
    assert.doesNotMatch(await problem(), /before 1\.2/);
  });
});

const times = 'time_created integer, time_updated integer';
const session = (id: string, title: string): string =>
  `insert into session values ('${id}', null, '/home/dev/shop', '${title}', '1.18.33', 1795400000000, 1795400009000)`;
const openCode = [
  `create table session (id text, parent_id text, directory text, title text, version text, ${times})`,
  `create table message (id text, session_id text, ${times}, data text)`,
  `create table part (id text, message_id text, session_id text, ${times}, data text)`,
  session('ses_0001cart', 'Sort the cart'),
];
const message = JSON.stringify({ role: 'user', time: { created: 1_795_400_000_000 }, model: { modelID: 'm' } });
const part = JSON.stringify({ type: 'text', text: 'Sort it by price' });
const prompt = [
  `insert into message values ('msg_1', 'ses_0001cart', 1795400000000, 1795400000000, '${message}')`,
  `insert into part values ('prt_1', 'msg_1', 'ses_0001cart', 1795400000000, 1795400000000, '${part}')`,
];
/** Crush's tables have the names of goose's. */
const crush = [
  'create table sessions (id text, title text, updated_at integer, created_at integer)',
  'create table messages (id text, session_id text, role text, parts text)',
  "insert into sessions values ('s1', 'Sort the cart', 1, 1)",
];

describe('a database that is opened', () => {
  if (!hasSqlite) return;

  const cli = useCli();
  const home = useSavedHome();
  const write = (...statements: readonly string[]): void => writeDatabase(home.in('copy.db'), ...statements);
  const open = async (id?: string): Promise<string | undefined> =>
    (await home.sessions().openFile(home.in('copy.db'), id))?.saved?.sessionId;

  it('has a session by its title, its ID, or the end of it', async () => {
    write(...openCode, session('ses_0002tests', 'Fix the tests'));
    assert.equal(await open('sort the Cart'), 'ses_0001cart');
    for (const name of ['ses_0002tests', '02tests']) assert.equal(await open(name), 'ses_0002tests');
    await assert.rejects(open('nothing'), /no session "nothing".*Fix the tests/s);
    await assert.rejects(open(), /Specify the ID of one/);
  });

  it('is its only session if no other is named', async () => {
    write(...openCode);
    assert.equal(await open(), 'ses_0001cart');
  });

  for (const [owner, tables] of [
    ['of Crush', crush],
    ['of Codex', ['create table threads (id text, rollout_path text, created_at integer)']],
    ['of Zed', ['create table threads (id text, summary text, updated_at text, data_type text, data blob)']],
    ['of VS Code', ['create table ItemTable (key text, value blob)']],
    ['but not of an agent that Agent Logs knows', ['create table messages (id text, parts text)']],
  ] as const) {
    it(`isn't read if it is ${owner}`, async () => {
      write(...tables);
      for (const id of ['s1', undefined]) await assert.rejects(open(id), new RegExp(`it is a database,? ${owner}`));
    });
  }

  it('is printed by tail', async () => {
    write(...openCode, ...prompt, session('ses_0002tests', 'Fix the tests'));
    for (const [name, exit, printed] of [
      ['Sort the cart', 0, /Sort it by price/],
      ['01cart', 0, /Sort it by price/],
      ['nothing', 1, /has no session "nothing"/],
    ] as const) {
      const args = ['tail', home.in('copy.db'), '--session', name];
      const { code, stdout, stderr } = await cli.run(args, '', savedHomeEnv(home.path));
      assert.match(`${stdout.toString()}${stderr}`, printed);
      assert.equal(code, exit);
    }
  });
});

describe("the database of Copilot Chat's traces", () => {
  if (!hasSqlite) return;

  const home = useSavedHome();
  const turns = async (id?: string): Promise<unknown> => {
    const sessions = home.sessions({ databases: new SqliteProcess() });
    const run = await home.opened(await sessions.openFile(home.in('agent-traces.db'), id));
    assert.deepEqual([run.protocol, run.name], ['trace', 'agent-traces.db']);
    return run.log.spans().map(({ kind, title, outcome, detail, usage, startedAt, endedAt = 0 }) => {
      const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage ?? {};
      const counts = usage && [inputTokens, outputTokens, cachedTokens, reasoningTokens];
      return [kind, title, outcome, detail ?? '', endedAt - startedAt, ...(counts ? [counts] : [])];
    });
  };

  it("is read as turns and tools, in the order of their times, or has one session's by the end of its ID", async () => {
    writeDatabase(home.in('agent-traces.db'), readFileSync('test/fixtures/saved/agent-traces.sql', 'utf8'));
    const first = [
      ['turn', 'run the tests', 'ok', 'end_turn', 2600, [2550, 120, 300, 8]],
      ['tool', 'run_in_terminal: sh run-tests.sh', 'error', 'Command exited with code 3', 300],
    ];
    const second = [['turn', 'invoke_agent GitHub Copilot Chat', 'error', '429: rate limited by the provider', 500]];
    assert.deepEqual(await turns(), [...first, ...second]);
    assert.deepEqual(await turns('2b6d1e44'), first);
    assert.deepEqual(await turns('2b6d1e55'), second);
    assert.deepEqual(await turns('nothing'), []);
  });
});
