import { inEnglish } from '../../../../../src/text/translator';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redactor } from '../../../../../src/redact/redactor';
import type { SavedFs } from '../../../../../src/past/saved/list/savedFs';
import { nodeFs } from '../../../../../src/past/saved/list/savedFs';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { stillAlive } from '../../../../../src/machine/processAlive';
import { ProcessStarts } from '../../../../../src/machine/processStarts';
import { fakeDatabases } from '../../../../support/databases';
import { itWithLinks } from '../../../../support/platform';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';

const claudeId = '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11';

describe('saved sessions of agents', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const sessions = (options: Partial<ConstructorParameters<typeof SavedSessions>[0]> = {}): SavedSessions =>
    new SavedSessions({ ...savedHomeOptions(home), ...options });

  it('are listed only for agents whose folders have some', async () => {
    assert.deepEqual(
      (await sessions().agents()).map(({ agent }) => agent),
      ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'pi', 'cline', 'kimi', 'droid', 'letta', 'continue', 'auggie'],
    );
  });

  it('are listed newest first with what their files say, without subagents', async () => {
    const all = sessions();
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

  it('know their subagents', async () => {
    const all = sessions();
    const parent = (await all.list('codex')).sessions.find(({ id }) => id.endsWith('2b296e55f00b'));
    assert.ok(parent);
    assert.deepEqual(
      (await all.children(parent)).map(({ title }) => title),
      ['Find all TODO comments under src.'],
    );
  });

  it('are only read on request, and again only if they changed', async () => {
    const { fs, reads } = counting();
    const all = sessions({ fs });
    await all.agents();
    assert.equal(reads.length, 0);
    await all.list('claude');
    assert.equal(reads.length, 2);
    await all.list('claude');
    assert.equal(reads.length, 2);
    appendFileSync(reads[0] ?? '', '{"type":"custom-title","customTitle":"New","sessionId":"x"}\n');
    await all.list('claude');
    assert.equal(reads.length, 3);
  });

  it('are cached in a file for the next window', async () => {
    const cachePath = join(home, 'cache.json');
    const first = sessions({ cachePath });
    const { sessions: listed } = await first.list('claude');
    await first.save();
    const { fs, reads } = counting();
    assert.deepEqual((await sessions({ cachePath, fs }).list('claude')).sessions, listed);
    assert.equal(reads.length, 0);
    writeFileSync(cachePath, '{"version":1,"entries":[["x"');
    const third = sessions({ cachePath });
    assert.equal((await third.list('claude')).sessions.length, 2);
    await third.save();
  });

  it('are limited to the requested number, and stop at the signal', async () => {
    const { fs, reads } = counting();
    const all = sessions({ fs });
    const one = await all.list('claude', { limit: 1 });
    assert.deepEqual([one.sessions.length, one.total, reads.length], [1, 2, 1]);
    const { sessions: none } = await sessions().list('claude', { signal: AbortSignal.abort() });
    assert.deepEqual(none, []);
  });

  it('can be limited to a folder and its subfolders', async () => {
    const all = sessions();
    const inFolder = async (folder: string) => (await all.list('claude', { folders: [folder] })).sessions.length;
    assert.equal(await inFolder('/home/me/project'), 1);
    assert.equal(await inFolder('/home'), 2);
    assert.equal(await inFolder('/home/me/proj'), 0);
  });

  it('are running if the process that marked them is alive', async () => {
    mkdirSync(join(home, '.claude/sessions'));
    const mark = { pid: 4711, sessionId: claudeId, status: 'busy' };
    writeFileSync(join(home, '.claude/sessions/4711.json'), JSON.stringify(mark));
    const running = async (alive: boolean) => {
      const { sessions: listed } = await sessions({ isAlive: () => Promise.resolve(alive) }).list('claude');
      return listed.find(({ id }) => id === claudeId)?.running;
    };
    assert.equal(await running(true), 'yes');
    assert.equal(await running(false), undefined);
    const alive = sessions({ isAlive: ({ pid }) => Promise.resolve(pid === 81) });
    assert.equal((await alive.list('cline')).sessions[0]?.running, 'yes');
  });

  it('are not running if another machine marked them, whose process has the PID of one here', async () => {
    const [{ path, id } = assert.fail('no session')] = (await sessions().list('qwen')).sessions;
    const running = async (host: string) => {
      const mark = { pid: process.pid, session_id: id, hostname: host };
      writeFileSync(path.replace(/jsonl$/, 'runtime.json'), JSON.stringify(mark));
      const isAlive = stillAlive(new ProcessStarts(), 'here');
      return (await sessions({ isAlive }).list('qwen')).sessions[0]?.running;
    };
    assert.equal(await running('here'), 'yes');
    assert.equal(await running('elsewhere'), undefined);
  });

  itWithLinks('are never followed through symlinks', async () => {
    const place = join(home, '.claude/projects/-home-me-project');
    const outside = join(home, 'outside.jsonl');
    writeFileSync(outside, '{}\n');
    symlinkSync(outside, join(place, '0c5f0f0e-0000-4000-8000-000000000009.jsonl'));
    symlinkSync(home, join(home, '.claude/projects/loop'));
    assert.equal((await sessions().list('claude')).total, 2);
  });

  itWithLinks("are followed through a link in the agent's own folder, but no deeper", async () => {
    const elsewhere = join(home, 'elsewhere');
    /** Moves a folder away, and leaves a link to it. */
    const link = (folder: string): void => {
      mkdirSync(elsewhere, { recursive: true });
      const moved = join(elsewhere, folder.replaceAll('/', '-'));
      renameSync(join(home, folder), moved);
      symlinkSync(moved, join(home, folder));
    };
    const project = '.claude/projects/-home-me-project';
    const all = sessions();
    const session = await all.find('claude', claudeId);
    assert.ok(session);
    const members = async () => (await all.open(session).saved?.members())?.length;
    assert.equal(await members(), 2);
    link(`${project}/${claudeId}`); // the session's folder, which has one of a fixed name
    assert.equal(await members(), 1);
    for (const [agent, folder] of [
      ['codex', '.codex/sessions/2026'],
      ['gemini', '.gemini/tmp/project/chats'],
      ['qwen', '.qwen/projects/-home-dev-project/chats'],
      ['cline', '.cline/data/sessions/1795340634848_ci0q5'],
      ['kimi', '.kimi-code/sessions/wd_project_291264d9e4b8'],
      ['droid', '.factory/sessions/-home-dev-project'],
    ] as const) {
      link(folder);
      const { sessions: listed } = await sessions().list(agent);
      assert.equal(listed.length, folder.endsWith('2026') ? 1 : 0, folder);
    }
    const listedBefore = (await sessions().list('claude')).sessions.map(({ id }) => id);
    for (const [agent, folder] of [
      ['claude', '.claude/projects'],
      ['codex', '.codex/archived_sessions'],
      ['copilot', '.copilot/session-state'],
      ['pi', '.pi/agent/sessions'],
      ['letta', '.letta/lc-local-backend/conversations'],
      ['continue', '.continue/sessions'],
      ['auggie', '.augment/sessions'],
    ] as const) {
      link(folder);
      assert.ok((await sessions().agents()).some((one) => one.agent === agent));
      const { sessions: listed, notice } = await sessions().list(agent);
      assert.notEqual(listed.length, 0, folder);
      assert.equal(notice !== undefined, agent === 'codex'); // its other folder has a link
    }
    assert.deepEqual(
      (await sessions().list('claude')).sessions.map(({ id }) => id),
      listedBefore,
    );
  });

  itWithLinks('are not followed out of the home folder, but the link is named', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    renameSync(join(home, '.claude/projects/-home-me-other'), join(outside, '-home-me-other'));
    symlinkSync(join(outside, '-home-me-other'), join(home, '.claude/projects/-home-me-other'));
    const { sessions: listed, notice } = await sessions().list('claude');
    assert.equal(listed.length, 1);
    assert.match(inEnglish(notice!), /^Skipped a link: .*-home-me-other\. To list what it links to/);
    renameSync(join(home, '.pi/agent/sessions'), join(outside, 'sessions'));
    symlinkSync(join(outside, 'sessions'), join(home, '.pi/agent/sessions'));
    assert.ok((await sessions().agents()).some(({ agent }) => agent === 'pi'));
    const pi = await sessions().list('pi');
    assert.deepEqual([pi.sessions.length, pi.problem], [0, undefined]);
    assert.match(inEnglish(pi.notice!), /^Skipped a link: .*sessions\./);
    const folders = { claude: [join(home, '.claude'), join(outside, 'more')] };
    mkdirSync(join(outside, 'more/projects'), { recursive: true });
    renameSync(join(outside, '-home-me-other'), join(outside, 'more/projects/-home-me-other'));
    assert.equal((await sessions({ folders }).list('claude')).sessions.length, 2);
    rmSync(outside, { recursive: true });
  });

  it("tolerate files that aren't sessions, or don't match their names", async () => {
    const place = join(home, '.claude/projects/-home-me-project');
    const odd = ['', '\u0000'.repeat(100), '{"type":"user"', '[]\n'.repeat(10), `{"type":"${'x'.repeat(1e6)}"}`];
    odd.forEach((text, index) => writeFileSync(join(place, `0c5f0f0e-0000-4000-8000-00000000001${index}.jsonl`), text));
    const { sessions: listed } = await sessions().list('claude');
    // Nothing is known of what can't be read, but an empty file is no session.
    assert.equal(listed.length, 2 + odd.length - 1);
    assert.ok(listed.every(({ id }) => id.length === 36));
  });

  it('need no permission for a file in place of their folder', async () => {
    rmSync(join(home, '.claude'), { recursive: true });
    writeFileSync(join(home, '.claude'), '../dotfiles/claude');
    assert.equal((await sessions().list('claude')).problem, undefined);
    assert.ok((await sessions().agents()).every(({ agent }) => agent !== 'claude'));
  });

  it('have no row without a message', async () => {
    const headers: Readonly<Record<string, string>> = {
      '.claude/projects/-home-me-project/0c5f0f0e-0000-4000-8000-000000000041.jsonl': `{"type":"mode","mode":"plan","sessionId":"x"}\n{"type":"summary","summary":"Old","leafUuid":"u"}\n`,
      '.codex/sessions/2026/11/22/rollout-2026-11-22T12-10-35-01a20285-8ad1-7621-822c-2b296e55f041.jsonl': `{"timestamp":"2026-11-22T12:10:35Z","type":"session_meta","payload":{"id":"01a20285-8ad1-7621-822c-2b296e55f041"}}\n`,
      '.gemini/tmp/project/chats/session-2026-11-22T12-25-6b725741.jsonl': `{"sessionId":"s","projectHash":"h","startTime":"2026-11-22T12:25:00Z"}\n`,
      '.gemini/tmp/project/chats/session-2026-11-22T12-25-6b725742.jsonl': `{"id":"m","timestamp":"2026-11-22T12:25:00Z","type":"user","content":"Hi"}\n`,
      '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b41/events.jsonl': `{"type":"session.start","id":"e","parentId":null,"timestamp":"2026-11-22T12:25:00Z","data":{"sessionId":"x"}}\n`,
      '.pi/agent/sessions/--home-dev-project--/2026-11-22T12-42-35-675Z_01a202a2-d59a-7042-9385-795460f29941.jsonl': `{"type":"session","version":3,"id":"x","timestamp":"2026-11-22T12:42:35Z","cwd":"/home/dev/project"}\n`,
      '.qwen/projects/-home-dev-project/chats/bcf1ca69-97af-4452-a485-97b1e62cc841.jsonl': '',
    };
    const before = await sessions().newest({});
    for (const [path, text] of Object.entries(headers)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const after = await sessions().newest({});
    assert.deepEqual(
      after.map(({ path }) => path),
      before.map(({ path }) => path),
    );
    assert.equal((await sessions().list('gemini')).total, 1);
  });

  it('have no secrets in their titles', async () => {
    const id = '0c5f0f0e-0000-4000-8000-000000000021';
    const message = { role: 'user', content: 'My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789-_AA' };
    const line = { parentUuid: null, type: 'user', message, sessionId: id, timestamp: '2026-11-20T10:00:00Z' };
    writeFileSync(join(home, `.claude/projects/-home-me-project/${id}.jsonl`), `${JSON.stringify(line)}\n`);
    const { sessions: listed } = await sessions({ redactor: new Redactor() }).list('claude');
    const title = listed.find((session) => session.id === id)?.title ?? '';
    assert.match(title, /^My key is /);
    assert.doesNotMatch(title, /abcdefghijklm/);
  });

  it('of Codex have the names that their users gave them, otherwise the titles of its database', async () => {
    const ids = ['01a20285-8ad1-7621-822c-2b296e55f00b', '01a20285-9548-7473-a9f4-ba9391a0f1b8'];
    writeFileSync(join(home, '.codex/state_5.sqlite'), '');
    const index = ids.map((id) => `${JSON.stringify({ id, thread_name: 'Old name' })}\n`);
    writeFileSync(join(home, '.codex/session_index.jsonl'), index[0] ?? '');
    const sqls: string[] = [];
    const databases = fakeDatabases((sql) => {
      sqls.push(sql);
      if (!sql.includes('null as name')) throw new Error('no such column: name');
      return ids.map((id) => ({ id, title: 'From the database', name: null }));
    });
    const all = new SavedSessions({ ...savedHomeOptions(home), databases });
    const titles = (await all.list('codex')).sessions.map(({ id, title }) => [id, title]);
    assert.deepEqual(
      new Map(titles as [string, string][]),
      new Map([
        [ids[0], 'Old name'],
        [ids[1], 'From the database'],
      ]),
    );
    assert.equal(sqls.length, 2);
  });

  it('are found by the end of their ID', async () => {
    const found = await sessions().find('claude', claudeId.slice(-8));
    assert.equal(found?.title, 'Parser tests');
    assert.equal(await sessions().find('claude', 'ffffffff'), undefined);
  });

  it('are found among those of all agents, also if those of one can’t be read', async () => {
    const all = sessions();
    assert.equal((await all.findAny(claudeId.slice(-8)))?.id, claudeId);
    const find = all.find.bind(all);
    all.find = (agent, id) => (agent === 'claude' ? Promise.reject(new Error('EIO')) : find(agent, id));
    assert.equal(await all.findAny(claudeId.slice(-8)), undefined);
    assert.equal((await all.findAny('2b296e55f00b'))?.agent, 'codex');
  });
});

/** The file system, with the session files that were read. */
function counting(): { readonly fs: SavedFs; readonly reads: string[] } {
  const reads: string[] = [];
  const read: SavedFs['read'] = (path, from, length) => {
    reads.push(path);
    return nodeFs.read(path, from, length);
  };
  return { fs: { ...nodeFs, read }, reads };
}
