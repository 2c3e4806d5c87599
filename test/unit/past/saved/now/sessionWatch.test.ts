import assert from 'node:assert/strict';
import { ClaudeLines } from '../../../../support/claudeLines';
import { WatchedHome } from '../../../../support/watchedHome';

const id = '0c5f0f0e-0000-4000-8000-000000000001';
const project = '.claude/projects/-home-dev-shop';
const file = `${project}/${id}.jsonl`;
const mark = '.claude/sessions/77.json';

describe('watched states of sessions', () => {
  let home: WatchedHome;
  let lines: ClaudeLines;
  const old = new ClaudeLines('0c5f0f0e-0000-4000-8000-000000000002');
  beforeEach(() => {
    home = new WatchedHome();
    lines = new ClaudeLines(id);
  });
  afterEach(() => home.dispose());

  function runs(status: string, since: number, more: object = {}): void {
    home.alive.add(77);
    home.write(mark, [{ pid: 77, sessionId: id, status, statusUpdatedAt: since, ...more }]);
  }

  it('follow a turn that asks for permission, from its start to its end', async () => {
    home.write(`${project}/0c5f0f0e-0000-4000-8000-000000000002.jsonl`, [old.prompt('o1', 'Old')]);
    const watch = await home.begin();
    runs('busy', 1);
    home.write(file, [lines.prompt('u1', 'Sort it')]);
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Old: new → idle', 'claude Sort it: new → working']);
    home.write(file, [lines.call('u2', 'm1', [1, 1])], { isAdded: true });
    runs('waiting', 5, { waitingFor: 'permission prompt' });
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: working → waiting (permission)']);
    assert.deepEqual(watch.sessions.map(({ state }) => ('doing' in state ? state.doing : undefined)).filter(Boolean), [
      { type: 'waiting-for-person', asking: 'permission', since: 5, subject: 'Bash: ls' },
    ]);
    runs('busy', 9);
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: waiting → working']);
    home.write(file, [lines.answer('u3', 'm2', [1, 1])], { isAdded: true });
    runs('idle', 12);
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: working → done']);
    const [unread] = watch.sessions.filter(({ isUnread }) => isUnread);
    assert.ok(unread);
    watch.read([unread.key]);
    assert.ok(watch.sessions.every(({ isUnread }) => !isUnread));
  });

  it('end with a last answer, even if nothing else says that the turn has ended', async () => {
    const chat = '.gemini/tmp/shop/chats/session-2026-11-27T10-00-aaaa1111.jsonl';
    const start = { sessionId: 's1', projectHash: 'h', startTime: '2026-11-27T10:00:00Z', kind: 'main' };
    const message = (n: number, type: string, more: object): object => {
      return { id: `m${n}`, timestamp: `2026-11-27T10:00:0${n}Z`, type, ...more };
    };
    const calls = (status: string): object => {
      const call = { id: 'c1', name: 'run_shell_command', args: { command: 'npm test' }, status };
      return { content: '', toolCalls: [call] };
    };
    home.write('.gemini/tmp/shop/.project_root', []);
    home.write(chat, [start, message(1, 'user', { content: [{ text: 'Sort it' }] })]);
    home.alive.add(9);
    const program = { pid: 9, names: new Set(['gemini']), folder: undefined, startedAt: 0 };
    const watch = await home.begin({ programs: () => Promise.resolve(home.alive.has(9) ? [program] : []) });
    assert.deepEqual(home.takeChanges(), ['gemini Sort it: new → working']);
    home.write(chat, [message(2, 'gemini', calls('executing'))], { isAdded: true });
    await home.pass(2500);
    const [doing] = watch.sessions.map(({ state }) => (state.type === 'working' ? state.doing : undefined));
    assert.ok(doing?.type === 'running-tool');
    assert.equal(doing.title, 'run_shell_command: npm test');
    home.write(chat, [message(2, 'gemini', calls('success')), message(3, 'gemini', { content: 'Sorted.' })], {
      isAdded: true,
    });
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['gemini Sort it: working → done']);
  });

  it('change when the process of a session is killed, which writes nothing', async () => {
    runs('busy', 1);
    home.write(file, [lines.prompt('u1', 'Sort it')]);
    await home.begin();
    assert.deepEqual(home.takeChanges(), ['claude Sort it: new → working']);
    home.alive.clear();
    await home.pass(6000);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: working → idle']);
  });

  it('need no look while nothing changes', async () => {
    home.write(file, [lines.prompt('u1', 'Sort it'), lines.answer('u2', 'm1', [1, 1])]);
    home.worked = 0;
    await home.begin();
    // Agents that have no session are looked for.
    await home.pass(55_000);
    const { looks } = home;
    assert.ok(looks <= 6, String(looks));
    home.write(`${project}/notes.txt`, []);
    await home.pass(4000);
    assert.equal(home.looks, looks, 'another file is no session');
  });

  it('are looked at no more often than every two seconds', async () => {
    runs('busy', 1);
    home.write(file, [lines.prompt('u1', 'Sort it')]);
    await home.begin();
    const before = home.looks;
    for (let n = 0; n < 40; n++) {
      home.write(file, [lines.call(`c${n}`, `m${n}`, [1, 1])], { isAdded: true });
      await home.pass(100);
    }
    assert.ok(home.looks - before <= 3, String(home.looks - before));
  });

  it('find sessions in new folders, and forget deleted ones', async () => {
    home.write(`${project}/0c5f0f0e-0000-4000-8000-000000000002.jsonl`, [old.prompt('o1', 'Old')]);
    const copilot = '.copilot/session-state/7d1c3d1e-58a5-4d4d-8a5d-1f0b5f3c2b90';
    const start = { type: 'session.start', data: { sessionId: 's1', context: { cwd: '/home/dev/shop' } }, id: 'e1' };
    const timestamp = '2026-11-27T10:00:00Z';
    home.write(`${copilot}/events.jsonl`, [{ ...start, timestamp, parentId: null }]);
    const watch = await home.begin();
    home.takeChanges();
    const other = '.claude/projects/-home-dev-other';
    home.write(`${other}/x.tmp`, []);
    await home.pass(2500);
    home.write(`${other}/${id}.jsonl`, [lines.prompt('u1', 'Sort it'), lines.answer('u2', 'm1', [1, 1])]);
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: new → done']);
    home.remove(`${other}/${id}.jsonl`);
    await home.pass(2500);
    assert.ok(watch.sessions.every(({ session }) => session.title !== 'Sort it'));
  });

  it('find the first session of an agent within 15 seconds', async () => {
    await home.begin();
    home.write(file, [lines.prompt('u1', 'Sort it'), lines.answer('u2', 'm1', [1, 1])]);
    await home.pass(15_500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: new → done']);
  });

  it('find the first session of an agent that was installed before at once', async () => {
    home.write('.claude/settings.json', []);
    await home.begin();
    home.write('.claude/history.jsonl', []);
    home.write(file, [lines.prompt('u1', 'Sort it'), lines.answer('u2', 'm1', [1, 1])]);
    await home.pass(2500);
    assert.deepEqual(home.takeChanges(), ['claude Sort it: new → done']);
  });

  it('of a session that touches its file don’t change', async () => {
    home.write(file, [lines.prompt('u1', 'Sort it'), lines.answer('u2', 'm1', [1, 1])]);
    await home.begin();
    home.takeChanges();
    for (let n = 0; n < 5; n++) {
      home.write(file, [{ type: 'last-prompt', sessionId: id, lastPrompt: 'Sort it' }], { isAdded: true });
      await home.pass(2500);
    }
    assert.deepEqual(home.takeChanges(), []);
  });
});
