import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SaverId } from '../../../../src/agents/agents';
import { isLocked } from '../../../../src/machine/heldLocks';
import type { Redactor } from '../../../../src/redact/redactor';
import { redactorFor } from '../../../../src/redact/redactorFor';
import { redactionWith } from '../../../support/redaction';
import type { RunningProgram } from '../../../../src/machine/programs';
import { namesIn, runningPrograms } from '../../../../src/machine/programs';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedHomeOptions } from '../../../support/savedHome';

const minute = 60_000;
const writtenAt = 1_796_000_000_000;

describe('a saved session without a process', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** Whether the only session of an agent runs, if its program has worked in a folder since so many minutes before the session was written. */
  async function runs(
    agent: SaverId,
    minutes: number,
    folder?: string,
    redactor?: Redactor,
  ): Promise<string | undefined> {
    const names: string[] = [];
    const program = { pid: 1, folder, startedAt: writtenAt - minutes * minute };
    const programs = (asked: readonly string[]): Promise<readonly RunningProgram[]> => {
      names.push(...asked);
      return Promise.resolve([{ ...program, names: new Set(asked) }]);
    };
    const options = {
      ...savedHomeOptions(home),
      folders: { [agent]: home },
      now: () => writtenAt + 1,
      programs,
      redactor,
    };
    const { sessions } = await new SavedSessions(options).list(agent);
    if (sessions[0]?.outcome !== 'open') assert.deepEqual(names, [], 'looks for programs only if a turn is open');
    assert.equal(sessions.length, 1);
    return sessions[0]?.running;
  }

  function write(path: string, lines: readonly string[]): void {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    utimesSync(file, writtenAt / 1000, writtenAt / 1000);
  }

  it('of pi or Gemini CLI with an open turn runs if its program has run in its folder since before', async () => {
    const prompt = { role: 'user', content: [{ type: 'text', text: 'Sort it' }] };
    const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-11-28T10:00:00Z', cwd: '/home/dev/shop' };
    const message = { type: 'message', id: 'e1', parentId: null, timestamp: '2026-11-28T10:00:01Z', message: prompt };
    write('sessions/--shop--/2026_s1.jsonl', [JSON.stringify(header), JSON.stringify(message)]);
    assert.equal(await runs('pi', 1, '/home/dev/shop'), 'yes');
    assert.equal(await runs('pi', 1, '/home/dev/other'), undefined);
    const redactor = redactorFor(redactionWith(/shop/g));
    assert.equal(await runs('pi', 1, '/home/dev/shop', redactor), 'yes', 'its folder is redacted');
    assert.equal(await runs('pi', 1, '/home/dev/other', redactor), undefined);
    assert.equal(await runs('pi', -1, '/home/dev/shop'), undefined, 'it was started after the session was left');
    const user = { id: 'm1', timestamp: '2026-11-28T10:00:01Z', type: 'user', content: [{ text: 'Sort it' }] };
    const start = { sessionId: 's1', projectHash: 'h', startTime: '2026-11-28T10:00:00Z', kind: 'main' };
    write('tmp/shop/.project_root', ['/home/dev/shop']);
    write('tmp/shop/chats/session-2026-11-28T10-00-aaaa1111.jsonl', [JSON.stringify(start), JSON.stringify(user)]);
    assert.equal(await runs('gemini', 1, '/home/dev/shop'), 'yes');
    assert.equal(await runs('gemini', -1, '/home/dev/shop'), undefined);
  });

  it('is told by its end, in a list and as a file, even if that has nothing but calls of tools', async () => {
    const entry = (n: number, message: object): string =>
      JSON.stringify({ type: 'message', id: `e${n}`, parentId: null, timestamp: '2026-11-28T10:00:01Z', message });
    const text = (said: string): object[] => [{ type: 'text', text: said }];
    const path = 'sessions/--shop--/2026_s1.jsonl';
    const lines = [
      JSON.stringify({
        type: 'session',
        version: 3,
        id: 's1',
        timestamp: '2026-11-28T10:00:00Z',
        cwd: '/home/dev/shop',
      }),
      entry(1, { role: 'user', content: text('Sort it') }),
      // An agent may say nothing for long.
      ...Array.from({ length: 40 }, (_, n) => [
        entry(2 * n + 2, {
          role: 'assistant',
          content: [{ type: 'toolCall', id: `c${n}`, name: 'bash', arguments: {} }],
        }),
        entry(2 * n + 3, { role: 'toolResult', toolCallId: `c${n}`, content: text('x'.repeat(10_000)) }),
      ]).flat(),
    ];
    const programs = (names: readonly string[]): Promise<readonly RunningProgram[]> =>
      Promise.resolve([{ pid: 1, names: new Set(names), folder: '/home/dev/shop', startedAt: writtenAt - minute }]);
    const isRunning = async (): Promise<boolean | undefined> => {
      const sessions = new SavedSessions({ ...savedHomeOptions(home), programs });
      return (await sessions.openFile(join(home, path)))?.saved?.isRunning;
    };
    write(path, lines);
    assert.deepEqual([await runs('pi', 1, '/home/dev/shop'), await isRunning()], ['yes', true]);
    write(path, [...lines, entry(99, { role: 'assistant', content: text('Done.'), stopReason: 'stop' })]);
    assert.deepEqual([await runs('pi', 1, '/home/dev/shop'), await isRunning()], [undefined, false]);
  });

  it('of Codex runs while a process holds its lock, which a kill releases', async () => {
    const id = '01a20285-8ad1-7621-822c-2b296e55f001';
    const event = (payload: object): string => {
      return JSON.stringify({ timestamp: '2026-11-28T10:00:00Z', type: 'event_msg', payload });
    };
    const meta = { timestamp: '2026-11-28T10:00:00Z', type: 'session_meta', payload: { id, cwd: '/home/dev/shop' } };
    write(`sessions/2026/11/28/rollout-2026-11-28T10-00-00-${id}.jsonl`, [
      JSON.stringify(meta),
      event({ type: 'task_started' }),
      event({ type: 'user_message', message: 'Sort it' }),
    ]);
    const lock = join(home, 'thread-writer-locks', `${id}.lock`);
    const held = async (isHeld: boolean): Promise<string | undefined> => {
      const asked: string[] = [];
      const checksLock = (path: string): Promise<boolean> => {
        asked.push(path);
        return Promise.resolve(isHeld);
      };
      const options = { ...savedHomeOptions(home), folders: { codex: home }, isLocked: checksLock };
      const { sessions } = await new SavedSessions(options).list('codex');
      assert.ok(asked.every((path) => path === lock));
      return sessions[0]?.running;
    };
    assert.equal(await held(true), undefined, 'without a lock');
    mkdirSync(dirname(lock));
    writeFileSync(lock, '');
    assert.equal(await held(true), 'yes');
    assert.equal(await held(false), undefined);
  });

  it('is found by the lock and the program of a real process', async function () {
    if (process.platform !== 'linux') return;
    const lock = join(home, 'x.lock');
    writeFileSync(lock, '');
    assert.equal(await isLocked(lock), false);
    // One process, so that the lock is released when it has ended.
    // It stays the same program: one that is being replaced has no words.
    const script = 'exec 9>"$0"; flock -n 9; echo held; read -r _';
    const holder = spawn('sh', ['-c', script, lock], {
      cwd: home,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    await once(holder.stdout, 'data');
    try {
      assert.equal(await isLocked(lock), true);
      assert.ok((await runningPrograms()(['sh'])).some(({ folder }) => folder === realpathSync(home)));
    } finally {
      process.kill(-(holder.pid ?? assert.fail('no process')), 'SIGKILL');
      await once(holder, 'close');
    }
    assert.equal(await isLocked(lock), false);
  });

  it('has a program that is named by its executable, its script or its package', () => {
    const isNamed = (name: string, ...words: string[]): boolean => namesIn(words).has(name);
    assert.ok(isNamed('pi', 'pi'));
    assert.ok(isNamed('gemini', '/usr/bin/node', '--no-warnings', '/usr/local/bin/gemini', '-p', 'x'));
    assert.ok(isNamed('gemini-cli', 'node', '/usr/lib/node_modules/@google/gemini-cli/dist/index.js'));
    assert.ok(isNamed('opencode', 'C:\\bin\\opencode.exe'));
    assert.ok(!isNamed('pi', 'vim', 'notes.md', 'pi'));
    assert.ok(!isNamed('pi', 'node', '/home/pi/shop/server.js'), 'the name of a user');
  });

  it('of Kimi Code runs until its turn ends, while its program runs', async () => {
    const folder = 'sessions/wd_project_1/session_b1c2d3e4-0000-4000-8000-000000000001';
    const lines = readFileSync('test/fixtures/saved/kimi-tools.jsonl', 'utf8').trim().split('\n');
    const end = lines.findLastIndex((line) => line.includes('"turn.ended"'));
    write(`${folder}/agents/main/wire.jsonl`, lines.slice(0, end));
    const state = { id: folder.split('/').at(-1), cwd: '/home/dev/project' };
    write(`${folder}/state.json`, [JSON.stringify(state)]);
    assert.equal(await runs('kimi', 1, '/home/dev/project'), 'yes');
    assert.equal(await runs('kimi', -1, '/home/dev/project'), undefined);
    write(`${folder}/agents/main/wire.jsonl`, lines);
    assert.equal(await runs('kimi', 1, '/home/dev/project'), undefined);
  });

  it("of VS Code's chat runs until its request ends, while its editor runs", async () => {
    const chat = join('workspaceStorage/abc/chatSessions', '5f0cf78e-0000-4000-8000-000000000001.jsonl');
    const request = (modelState: object): string =>
      JSON.stringify({
        kind: 0,
        v: {
          version: 3,
          creationDate: writtenAt - minute,
          initialLocation: 'panel',
          responderUsername: 'Copilot',
          sessionId: '5f0cf78e-0000-4000-8000-000000000001',
          requests: [
            { requestId: 'r', timestamp: writtenAt, message: { text: 'Wait for it' }, response: [], modelState },
          ],
        },
      });
    for (const value of [0, 4]) {
      write(chat, [request({ value })]);
      assert.equal(await runs('vscode', 1), 'yes');
      assert.equal(await runs('vscode', -1), undefined);
    }
    write(chat, [request({ value: 1, completedAt: writtenAt })]);
    assert.equal(await runs('vscode', 1), undefined);
  });
});
