import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import type { SaverId } from '../../../../src/agents/agents';
import { isLocked } from '../../../../src/machine/heldLocks';
import type { Redactor } from '../../../../src/redact/redactor';
import { redactorFor } from '../../../../src/redact/redactorFor';
import { redactionWith } from '../../../support/redaction';
import type { RunningProgram } from '../../../../src/machine/programs';
import { namesIn, runningPrograms } from '../../../../src/machine/programs';
import { at, codexLine, pi } from '../../../support/agentLines';
import { useSavedHome } from '../../../support/savedSuite';

const minute = 60_000;
const writtenAt = 1_796_000_000_000;
const piFile = 'sessions/--dev--/2026_s.jsonl';

describe('a saved session without a process', () => {
  const home = useSavedHome();

  /** Whether the only session of an agent runs, if its program has worked in a folder since so many minutes before the session was written. */
  async function runs(agent: SaverId, minutes: number, folder?: string, redactor?: Redactor) {
    const names: string[] = [];
    const program = { pid: 1, folder, startedAt: writtenAt - minutes * minute };
    const programs = (asked: readonly string[]): Promise<readonly RunningProgram[]> => {
      names.push(...asked);
      return Promise.resolve([{ ...program, names: new Set(asked) }]);
    };
    const options = { folders: { [agent]: home.path }, now: () => writtenAt + 1, programs, redactor };
    const { sessions } = await home.sessions(options).list(agent);
    if (sessions[0]?.outcome !== 'open') assert.deepEqual(names, [], 'looks for programs only if a turn is open');
    assert.equal(sessions.length, 1);
    return sessions[0]?.running;
  }

  const write = (path: string, lines: readonly object[]): string => home.write(path, lines, writtenAt);

  it('of pi or Gemini CLI with an open turn runs if its program has run in its folder since before', async () => {
    write(piFile, [pi.header, pi.line(1, pi.prompt('Sort it'))]);
    assert.equal(await runs('pi', 1, '/home/dev'), 'yes');
    assert.equal(await runs('pi', 1, '/home/other'), undefined);
    const redactor = redactorFor(redactionWith(/dev/g));
    assert.equal(await runs('pi', 1, '/home/dev', redactor), 'yes', 'its folder is redacted');
    assert.equal(await runs('pi', 1, '/home/other', redactor), undefined);
    assert.equal(await runs('pi', -1, '/home/dev'), undefined, 'it was started after the session was left');
    const user = { id: 'm1', timestamp: at(1), type: 'user', content: [{ text: 'Sort it' }] };
    const start = { sessionId: 's1', projectHash: 'h', startTime: at(0), kind: 'main' };
    home.write('tmp/shop/.project_root', '/home/dev/shop\n');
    write('tmp/shop/chats/session-2026-11-28T10-00-aaaa1111.jsonl', [start, user]);
    assert.equal(await runs('gemini', 1, '/home/dev/shop'), 'yes');
    assert.equal(await runs('gemini', -1, '/home/dev/shop'), undefined);
  });

  it('is told by its end, in a list and as a file, even if that has nothing but calls of tools', async () => {
    const text = 'x'.repeat(10_000);
    // An agent may say nothing for long.
    const calls = Array.from({ length: 40 }, (_, n) => {
      const call = { type: 'toolCall', id: `c${n}`, name: 'bash', arguments: {} };
      const result = { role: 'toolResult', toolCallId: `c${n}`, content: [{ type: 'text', text }] };
      return [pi.line(2 * n + 2, { role: 'assistant', content: [call] }), pi.line(2 * n + 3, result)];
    });
    const lines = [pi.header, pi.line(1, pi.prompt('Sort it')), ...calls.flat()];
    const program = { pid: 1, folder: '/home/dev', startedAt: writtenAt - minute };
    const programs = (names: readonly string[]) => Promise.resolve([{ ...program, names: new Set(names) }]);
    const isRunning = async (path: string) => (await home.sessions({ programs }).openFile(path))?.saved?.isRunning;
    for (const [end, ...expected] of [
      [[], 'yes', true],
      [[pi.line(99, pi.answer(1, 1))], undefined, false],
    ] as const) {
      const path = write(piFile, [...lines, ...end]);
      assert.deepEqual([await runs('pi', 1, '/home/dev'), await isRunning(path)], expected);
    }
  });

  it('of Codex runs while a process holds its lock, which a kill releases', async () => {
    const id = '01a20285-8ad1-7621-822c-2b296e55f001';
    write(`sessions/2026/11/28/rollout-2026-11-28T10-00-00-${id}.jsonl`, [
      codexLine(0, 'session_meta', { id, cwd: '/home/dev/shop' }),
      codexLine(1, 'event_msg', { type: 'task_started' }),
      codexLine(2, 'event_msg', { type: 'user_message', message: 'Sort it' }),
    ]);
    const held = async (isHeld: boolean): Promise<string | undefined> => {
      const asked: string[] = [];
      const checksLock = (path: string): Promise<boolean> => {
        asked.push(path);
        return Promise.resolve(isHeld);
      };
      const { sessions } = await home.sessions({ folders: { codex: home.path }, isLocked: checksLock }).list('codex');
      assert.ok(asked.every((path) => path === home.in('thread-writer-locks', `${id}.lock`)));
      return sessions[0]?.running;
    };
    assert.equal(await held(true), undefined, 'without a lock');
    home.write(`thread-writer-locks/${id}.lock`, '');
    assert.equal(await held(true), 'yes');
    assert.equal(await held(false), undefined);
  });

  it('is found by the lock and the program of a real process', async function () {
    if (process.platform !== 'linux') return;
    const lock = home.write('x.lock', '');
    assert.equal(await isLocked(lock), false);
    // One process, so that the lock is released when it has ended.
    // It stays the same program: one that is being replaced has no words.
    const words = ['-c', 'exec 9>"$0"; flock -n 9; echo held; read -r _', lock];
    const holder = spawn('sh', words, { cwd: home.path, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    await once(holder.stdout, 'data');
    try {
      assert.equal(await isLocked(lock), true);
      assert.ok((await runningPrograms()(['sh'])).some(({ folder }) => folder === realpathSync(home.path)));
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
    const wire = `${folder}/agents/main/wire.jsonl`;
    home.write(wire, lines.slice(0, end).join('\n'), writtenAt);
    write(`${folder}/state.json`, [{ id: folder.split('/').at(-1), cwd: '/home/dev/project' }]);
    assert.equal(await runs('kimi', 1, '/home/dev/project'), 'yes');
    assert.equal(await runs('kimi', -1, '/home/dev/project'), undefined);
    home.write(wire, lines.join('\n'), writtenAt);
    assert.equal(await runs('kimi', 1, '/home/dev/project'), undefined);
  });

  it("of VS Code's chat runs until its request ends, while its editor runs", async () => {
    const sessionId = '5f0cf78e-0000-4000-8000-000000000001';
    const about = { version: 3, creationDate: writtenAt - minute, initialLocation: 'panel', sessionId };
    const request = (modelState: object): void => {
      const asked = { requestId: 'r', timestamp: writtenAt, message: { text: 'Wait for it' }, response: [] };
      const v = { ...about, responderUsername: 'Copilot', requests: [{ ...asked, modelState }] };
      write(`workspaceStorage/abc/chatSessions/${sessionId}.jsonl`, [{ kind: 0, v }]);
    };
    for (const value of [0, 4]) {
      request({ value });
      assert.equal(await runs('vscode', 1), 'yes');
      assert.equal(await runs('vscode', -1), undefined);
    }
    request({ value: 1, completedAt: writtenAt });
    assert.equal(await runs('vscode', 1), undefined);
  });
});
