import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { useCli } from '../../../../support/cli';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { savedHomeEnv, savedHomeOptions } from '../../../../support/savedHome';

const session = (id: string, title: string): string =>
  `insert into session values ('${id}', null, '/home/dev/shop', '${title}', '1.18.33', 1795400000000, 1795400009000)`;
const openCode = [
  'create table session (id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)',
  'create table message (id text, session_id text, time_created integer, time_updated integer, data text)',
  'create table part (id text, message_id text, session_id text, time_created integer, time_updated integer, data text)',
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

describe('a database that is opened', function () {
  const cli = useCli();
  let home: string;
  let path: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    path = join(home, 'copy.db');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const open = async (id?: string): Promise<string | undefined> => {
    const sessions = new SavedSessions(savedHomeOptions(home));
    return (await sessions.openFile(path, id))?.saved?.sessionId;
  };

  if (!hasSqlite) {
    it('needs SQLite', () => assert.equal(hasSqlite, false));
    return;
  }

  it('has a session by its title, its ID, or the end of it', async () => {
    writeDatabase(path, ...openCode, session('ses_0002tests', 'Fix the tests'));
    for (const [name, id] of [
      ['sort the Cart', 'ses_0001cart'],
      ['ses_0002tests', 'ses_0002tests'],
      ['02tests', 'ses_0002tests'],
    ] as const) {
      assert.equal(await open(name), id);
    }
    await assert.rejects(open('nothing'), /no session "nothing".*Fix the tests/s);
    await assert.rejects(open(), /Specify the ID of one/);
  });

  it('is its only session if no other is named', async () => {
    writeDatabase(path, ...openCode);
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
      writeDatabase(path, ...tables);
      await assert.rejects(open('s1'), new RegExp(`it is a database,? ${owner}`));
      await assert.rejects(open(), new RegExp(`it is a database,? ${owner}`));
    });
  }

  it('is printed by tail', async () => {
    writeDatabase(path, ...openCode, ...prompt, session('ses_0002tests', 'Fix the tests'));
    const tail = async (name: string): Promise<readonly [code: number | null, text: string]> => {
      const { code, stdout, stderr } = await cli.run(['tail', path, '--session', name], '', savedHomeEnv(home));
      return [code, `${stdout.toString()}${stderr}`];
    };
    for (const name of ['Sort the cart', '01cart', 'ses_0001cart']) {
      const [code, text] = await tail(name);
      assert.equal(code, 0, text);
      assert.match(text, /Sort it by price/);
    }
    const [code, text] = await tail('nothing');
    assert.equal(code, 1);
    assert.match(text, /has no session "nothing"/);
  });
});
