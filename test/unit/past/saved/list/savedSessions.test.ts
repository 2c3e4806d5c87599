import { inEnglish } from '../../../../../src/text/translator';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Redactor } from '../../../../../src/redact/redactor';
import { stillAlive } from '../../../../../src/machine/processAlive';
import { ProcessStarts } from '../../../../../src/machine/processStarts';
import { column } from '../../../../support/columns';
import { fakeDatabases } from '../../../../support/databases';
import { itWithLinks } from '../../../../support/platform';
import { notedFs, useSavedHome } from '../../../../support/savedSuite';
import { useFolder } from '../../../../support/tempFolder';

const claudeId = '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11';

describe('saved sessions of agents', () => {
  const home = useSavedHome('filled');
  const outside = useFolder();

  it('are listed only for agents whose folders have some', async () => {
    const agents = column(await home.sessions().agents(), 'agent').join(' ');
    assert.equal(agents, 'claude codex gemini qwen copilot pi cline kimi droid letta continue auggie');
  });

  it('are listed newest first with what their files say, without subagents', async () => {
    const all = home.sessions();
    const rows: string[] = [];
    for (const { agent } of await all.agents()) {
      for (const { title, folder, model, outcome } of (await all.list(agent)).sessions) {
        rows.push([agent, title, folder, model, outcome].map((field) => field ?? '-').join(' | '));
      }
    }
    assert.deepEqual(rows, [
      'claude | What is it? | /home/me/project | claude-sonnet-4-5 | error',
      'claude | Parser tests | /home/me/project | claude-sonnet-4-5 | ok',
      'codex | Who may use this? | /home/dev/project | mock-model | error',
      'codex | List the files, then run the tests. | /home/dev/project | mock-model | ok',
      'gemini | The build is done. | /home/dev/project | gemini-2.5-pro | error',
      'qwen | Small parser | /home/dev/project | mock-model | error',
      'copilot | Tests: run them | /home/me/project | gpt-5 | error',
      'pi | Small parser | /home/dev/project | mock-model | cancelled',
      'cline | List the files | /home/dev/project | m | open',
      'kimi | What is this project? | /home/dev/project | mock/mock-model | ok',
      'droid | run the tests | /home/dev/project | custom:Mock-0 | ok',
      'letta | run the tests | /home/dev/project | mock-model | ok',
      'continue | run the tests | /home/dev/project | mock | ok',
      'auggie | run the tests | /home/dev/project | mock-model | ok',
    ]);
  });

  it('are only read on request, and again only if they changed', async () => {
    const { fs, reads } = notedFs();
    const all = home.sessions({ fs });
    await all.agents();
    assert.equal(reads.length, 0);
    await all.list('claude');
    assert.equal(reads.length, 2);
    await all.list('claude');
    assert.equal(reads.length, 2);
    appendFileSync(reads[0]?.path ?? '', '{"type":"custom-title","customTitle":"New","sessionId":"x"}\n');
    await all.list('claude');
    assert.equal(reads.length, 3);
  });

  it('are cached in a file for the next window', async () => {
    const cachePath = home.in('cache.json');
    const first = home.sessions({ cachePath });
    const { sessions: listed } = await first.list('claude');
    await first.save();
    const { fs, reads } = notedFs();
    assert.deepEqual((await home.sessions({ cachePath, fs }).list('claude')).sessions, listed);
    assert.equal(reads.length, 0);
    writeFileSync(cachePath, '{"version":1,"entries":[["x"');
    const third = home.sessions({ cachePath });
    assert.equal((await third.list('claude')).sessions.length, 2);
    await third.save();
  });

  it('are limited to the requested number, and stop at the signal', async () => {
    const { fs, reads } = notedFs();
    const all = home.sessions({ fs });
    const one = await all.list('claude', { limit: 1 });
    assert.deepEqual([one.sessions.length, one.total, reads.length], [1, 2, 1]);
    assert.deepEqual((await home.sessions().list('claude', { signal: AbortSignal.abort() })).sessions, []);
  });

  it('can be limited to a folder and its subfolders', async () => {
    const all = home.sessions();
    const inFolder = async (folder: string) => (await all.list('claude', { folders: [folder] })).sessions.length;
    assert.equal(await inFolder('/home/me/project'), 1);
    assert.equal(await inFolder('/home'), 2);
    assert.equal(await inFolder('/home/me/proj'), 0);
  });

  it('are running if the process that marked them is alive', async () => {
    home.write('.claude/sessions/4711.json', [{ pid: 4711, sessionId: claudeId, status: 'busy' }]);
    const running = async (alive: boolean) => {
      const { sessions: listed } = await home.sessions({ isAlive: () => Promise.resolve(alive) }).list('claude');
      return listed.find(({ id }) => id === claudeId)?.running;
    };
    assert.deepEqual([await running(true), await running(false)], ['yes', undefined]);
    const alive = home.sessions({ isAlive: ({ pid }) => Promise.resolve(pid === 81) });
    assert.equal((await alive.list('cline')).sessions[0]?.running, 'yes');
  });

  it('are not running if another machine marked them, whose process has the PID of one here', async () => {
    const [{ path, id } = assert.fail('no session')] = (await home.sessions().list('qwen')).sessions;
    for (const [hostname, running] of [
      ['here', 'yes'],
      ['elsewhere', undefined],
    ] as const) {
      const mark = { pid: process.pid, session_id: id, hostname };
      writeFileSync(path.replace(/jsonl$/, 'runtime.json'), JSON.stringify(mark));
      const isAlive = stillAlive(new ProcessStarts(), 'here');
      assert.equal((await home.sessions({ isAlive }).list('qwen')).sessions[0]?.running, running);
    }
  });

  const project = '.claude/projects/-home-me-project';

  itWithLinks('are never followed through symlinks', async () => {
    symlinkSync(home.write('outside.jsonl', '{}\n'), home.in(project, '0c5f0f0e-0000-4000-8000-000000000009.jsonl'));
    symlinkSync(home.path, home.in('.claude/projects/loop'));
    assert.equal((await home.sessions().list('claude')).total, 2);
  });

  itWithLinks("are followed through a link in the agent's own folder, but no deeper", async () => {
    /** Moves a folder away, and leaves a link to it. */
    const link = (folder: string): void => {
      mkdirSync(home.in('elsewhere'), { recursive: true });
      const moved = home.in('elsewhere', folder.replaceAll('/', '-'));
      renameSync(home.in(folder), moved);
      symlinkSync(moved, home.in(folder));
    };
    const all = home.sessions();
    const session = await all.find('claude', claudeId);
    assert.ok(session);
    const members = async () => (await all.open(session).saved?.members())?.length;
    assert.equal(await members(), 2);
    link(`${project}/${claudeId}`); // the session's folder, which has one of a fixed name
    assert.equal(await members(), 1);
    const claude = (await home.sessions().list('claude')).sessions.map(({ id }) => id);
    for (const [agent, folder, isFollowed, hasOther] of [
      ['codex', '.codex/sessions/2026', false, true],
      ['gemini', '.gemini/tmp/project/chats', false],
      ['qwen', '.qwen/projects/-home-dev-project/chats', false],
      ['cline', '.cline/data/sessions/1795340634848_ci0q5', false],
      ['kimi', '.kimi-code/sessions/wd_project_291264d9e4b8', false],
      ['droid', '.factory/sessions/-home-dev-project', false],
      ['claude', '.claude/projects', true],
      ['codex', '.codex/archived_sessions', true, true],
      ['copilot', '.copilot/session-state', true],
      ['pi', '.pi/agent/sessions', true],
      ['letta', '.letta/lc-local-backend/conversations', true],
      ['continue', '.continue/sessions', true],
      ['auggie', '.augment/sessions', true],
    ] as const) {
      link(folder);
      const { sessions: listed, notice } = await home.sessions().list(agent);
      assert.equal(listed.length > 0, isFollowed || hasOther === true, folder);
      if (!isFollowed) continue;
      assert.ok((await home.sessions().agents()).some((one) => one.agent === agent));
      assert.equal(notice !== undefined, hasOther === true, folder); // its other folder has a link
    }
    assert.deepEqual(column((await home.sessions().list('claude')).sessions, 'id'), claude);
  });

  itWithLinks('are not followed out of the home folder, but the link is named', async () => {
    const move = (from: string, to: string): void => {
      renameSync(home.in(from), outside.in(to));
      symlinkSync(outside.in(to), home.in(from));
    };
    move('.claude/projects/-home-me-other', '-home-me-other');
    const { sessions: listed, notice } = await home.sessions().list('claude');
    assert.equal(listed.length, 1);
    assert.match(inEnglish(notice!), /^Skipped a link: .*-home-me-other\. To list what it links to/);
    move('.pi/agent/sessions', 'sessions');
    assert.ok((await home.sessions().agents()).some(({ agent }) => agent === 'pi'));
    const pi = await home.sessions().list('pi');
    assert.deepEqual([pi.sessions.length, pi.problem], [0, undefined]);
    assert.match(inEnglish(pi.notice!), /^Skipped a link: .*sessions\./);
    const folders = { claude: [home.in('.claude'), outside.in('more')] };
    mkdirSync(outside.in('more/projects'), { recursive: true });
    renameSync(outside.in('-home-me-other'), outside.in('more/projects/-home-me-other'));
    assert.equal((await home.sessions({ folders }).list('claude')).sessions.length, 2);
  });

  it("tolerate files that aren't sessions, or don't match their names", async () => {
    const odd = ['', '\u0000'.repeat(100), '{"type":"user"', '[]\n'.repeat(10), `{"type":"${'x'.repeat(1e6)}"}`];
    for (const [n, text] of odd.entries()) home.write(`${project}/0c5f0f0e-0000-4000-8000-00000000001${n}.jsonl`, text);
    const { sessions: listed } = await home.sessions().list('claude');
    // Nothing is known of what can't be read, but an empty file is no session.
    assert.equal(listed.length, 2 + odd.length - 1);
    assert.ok(listed.every(({ id }) => id.length === 36));
  });

  it('need no permission for a file in place of their folder', async () => {
    rmSync(home.in('.claude'), { recursive: true });
    writeFileSync(home.in('.claude'), '../dotfiles/claude');
    assert.equal((await home.sessions().list('claude')).problem, undefined);
    assert.ok((await home.sessions().agents()).every(({ agent }) => agent !== 'claude'));
  });

  it('have no row without a message', async () => {
    const timestamp = '2026-11-22T12:25:00Z';
    const chat = '.gemini/tmp/project/chats/session-2026-11-22T12-25-6b72574';
    const headers: Readonly<Record<string, readonly object[]>> = {
      [`${project}/0c5f0f0e-0000-4000-8000-000000000041.jsonl`]: [
        { type: 'mode', mode: 'plan', sessionId: 'x' },
        { type: 'summary', summary: 'Old', leafUuid: 'u' },
      ],
      '.codex/sessions/2026/11/22/rollout-2026-11-22T12-10-35-01a20285-8ad1-7621-822c-2b296e55f041.jsonl': [
        { timestamp, type: 'session_meta', payload: { id: '01a20285-8ad1-7621-822c-2b296e55f041' } },
      ],
      [`${chat}1.jsonl`]: [{ sessionId: 's', projectHash: 'h', startTime: timestamp }],
      [`${chat}2.jsonl`]: [{ id: 'm', timestamp, type: 'user', content: 'Hi' }],
      '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b41/events.jsonl': [
        { type: 'session.start', id: 'e', parentId: null, timestamp, data: { sessionId: 'x' } },
      ],
      '.pi/agent/sessions/--home-dev-project--/2026-11-22T12-42-35-675Z_01a202a2-d59a-7042-9385-795460f29941.jsonl': [
        { type: 'session', version: 3, id: 'x', timestamp, cwd: '/home/dev/project' },
      ],
      '.qwen/projects/-home-dev-project/chats/bcf1ca69-97af-4452-a485-97b1e62cc841.jsonl': [],
    };
    const before = column(await home.sessions().newest({}), 'path');
    for (const [path, lines] of Object.entries(headers)) home.write(path, lines);
    assert.deepEqual(column(await home.sessions().newest({}), 'path'), before);
    assert.equal((await home.sessions().list('gemini')).total, 1);
  });

  it('have no secrets in their titles', async () => {
    const id = '0c5f0f0e-0000-4000-8000-000000000021';
    const message = { role: 'user', content: 'My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789-_AA' };
    const line = { parentUuid: null, type: 'user', message, sessionId: id, timestamp: '2026-11-20T10:00:00Z' };
    home.write(`${project}/${id}.jsonl`, [line]);
    const { sessions: listed } = await home.sessions({ redactor: new Redactor() }).list('claude');
    const title = listed.find((session) => session.id === id)?.title ?? '';
    assert.match(title, /^My key is /);
    assert.doesNotMatch(title, /abcdefghijklm/);
  });

  it('of Codex have the newest names that their users gave them, otherwise the titles of its database', async () => {
    const ids = ['01a20285-8ad1-7621-822c-2b296e55f00b', '01a20285-9548-7473-a9f4-ba9391a0f1b8'];
    home.write('.codex/state_5.sqlite', '');
    const names = ['Old name', 'Small parser'].map((name) => JSON.stringify({ id: ids[0], thread_name: name }));
    home.write('.codex/session_index.jsonl', `${names.join('\n')}\n{"id":"cut`);
    const sqls: string[] = [];
    const databases = fakeDatabases((sql) => {
      sqls.push(sql);
      if (!sql.includes('null as name')) throw new Error('no such column: name');
      return ids.map((id) => ({ id, title: 'From the database', name: null }));
    });
    const all = home.sessions({ databases });
    const titles = Object.fromEntries((await all.list('codex')).sessions.map(({ id, title }) => [id, title]));
    assert.deepEqual(titles, { [ids[0] ?? '']: 'Small parser', [ids[1] ?? '']: 'From the database' });
    assert.equal(sqls.length, 2);
  });

  it('are found by the end of their ID', async () => {
    assert.equal((await home.sessions().find('claude', claudeId.slice(-8)))?.title, 'Parser tests');
    assert.equal(await home.sessions().find('claude', 'ffffffff'), undefined);
  });

  it('are found among those of all agents, also if those of one can’t be read', async () => {
    const all = home.sessions();
    assert.equal((await all.findAny(claudeId.slice(-8)))?.id, claudeId);
    const find = all.find.bind(all);
    all.find = (agent, id) => (agent === 'claude' ? Promise.reject(new Error('EIO')) : find(agent, id));
    assert.equal(await all.findAny(claudeId.slice(-8)), undefined);
    assert.equal((await all.findAny('2b296e55f00b'))?.agent, 'codex');
  });
});
