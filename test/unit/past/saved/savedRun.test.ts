import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SaverId } from '../../../../src/agents/agents';
import type { LogRecord } from '../../../../src/text/record';
import type { FileRun } from '../../../../src/past/files/fileRun';
import type { FileRunInfo } from '../../../../src/past/files/fileRunInfo';
import { readInto } from '../../../../src/past/readInto';
import type { LogSink } from '../../../../src/runLog/reading/logReader';
import { noSteps } from '../../../../src/work/step';
import { Work } from '../../../../src/work/work';
import { hasSqlite } from '../../../support/databases';
import { messagesOf, untilSays } from '../../../support/savedRun';
import { useSavedHome } from '../../../support/savedSuite';

const claudeId = '0c5f0f0e-3b1a-4a57-9a43-6d2f2f1b7a11';
const project = '.claude/projects/-home-me-project';

describe('an opened saved session', () => {
  const home = useSavedHome('filled');
  const open = async (agent: SaverId, id: string): Promise<FileRun> => {
    const all = home.sessions();
    return home.opened(all.open((await all.find(agent, id)) ?? assert.fail('no session')));
  };
  const openFile = async (path: string): Promise<FileRun> => home.opened(await home.sessions().openFile(path));

  it('has its subagents as child sessions', async () => {
    const run = await open('claude', claudeId);
    assert.deepEqual(run.log.sessions.map(({ title, parent }) => `${title} < ${parent}`).sort(), [
      `Find all TODOs. < ${claudeId}`,
      'Parser tests < undefined',
    ]);
    const { state, name, cwd, protocol } = run;
    assert.deepEqual([state.type, name, cwd, protocol], ['following', 'Parser tests', '/home/me/project', 'saved']);
  });

  it('of Codex has the threads that it spawned, in chronological order', async () => {
    const records = (await open('codex', '2b296e55f00b')).log.store.query();
    const order = records.filter(({ logger }) => logger === 'prompt' || logger === 'turn');
    assert.deepEqual(
      order.map(({ logger, message, sessionId }) => `${sessionId?.slice(-4) ?? ''} ${logger ?? ''}: ${message}`),
      [
        'f00b prompt: List the files, then run the tests.',
        'f00b turn: ended after 284 ms',
        'f00b prompt: Ask a helper to find the TODOs.',
        'e696 prompt: Find all TODO comments under src.',
        'e696 turn: ended after 158 ms',
        'f00b turn: ended after 295 ms',
      ],
    );
  });

  it("has its subagents' turns below the turn that started them, and counts their tokens once", async () => {
    const spans = (await open('codex', '2b296e55f00b')).log.spans();
    const subagent = spans.find(({ kind }) => kind === 'subagent');
    const [, started, inner] = spans.filter(({ kind }) => kind === 'turn');
    assert.deepEqual([subagent?.title, subagent?.outcome, subagent?.parent], ['Feynman', 'ok', started?.id]);
    assert.deepEqual([inner?.title, inner?.parent], ['Find all TODO comments under src.', subagent?.id]);
    assert.deepEqual([started?.usage?.inputTokens, inner?.usage?.inputTokens], [4100, 2550]);
  });

  it('of Gemini CLI has subagents, although only the name of their folder says whose they are', async () => {
    const [parent, child] = ['5f6c7d8e-0000-4000-8000-000000000011', '5f6c7d8e-0000-4000-8000-000000000012'];
    const chats = '.gemini/tmp/project/chats';
    const header = { projectHash: 'x', startTime: '2026-11-22T09:00:00.000Z', lastUpdated: '2026-11-22T09:00:00.000Z' };
    const said = { id: 'm1', timestamp: '2026-11-22T09:00:01.000Z', type: 'user', content: 'Look for it.' };
    const main = [{ ...header, sessionId: parent, kind: 'main' }, said];
    home.write(`${chats}/session-2026-11-22T09-00-5f6c7d8e.jsonl`, main);
    home.write(`${chats}/${parent}/${child}.jsonl`, [{ ...header, sessionId: child, kind: 'subagent' }, said]);
    const { sessions } = (await open('gemini', parent)).log;
    assert.deepEqual(sessions.map(({ id, parent: from }) => [id, from]).flat(), [parent, undefined, child, parent]);
  });

  it('is followed while it grows, with new subagents', async () => {
    const path = home.in(project, '0c5f0f0e-0000-4000-8000-000000000031.jsonl');
    const [first = '', ...rest] = readFileSync('test/fixtures/saved/claude-failed.jsonl', 'utf8').trim().split('\n');
    writeFileSync(path, `${first}\n${rest[0] ?? ''}\n`);
    const run = await openFile(path);
    assert.ok(!messagesOf(run).some((message) => message.includes('A parser.')));
    const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
    mkdirSync(folder, { recursive: true });
    cpSync('test/fixtures/saved/claude-subagent.jsonl', join(folder, 'agent-a5846a52bc74da133.jsonl'));
    // A half-written line waits for its end.
    const line = rest[2] ?? '';
    appendFileSync(path, `${rest[1] ?? ''}\n${line.slice(0, 100)}`);
    await untilSays(run, 'status 429');
    appendFileSync(path, `${line.slice(100)}\n`);
    await untilSays(run, 'A parser.');
    await untilSays(run, 'One, in a.js.');
    assert.ok(!messagesOf(run).some((message) => message.startsWith('Not a JSON object')));
  });

  it('reports where it stops if its agent was killed', async () => {
    const path = home.in('codex.jsonl');
    cpSync('test/fixtures/saved/codex-killed.jsonl', path);
    const info = await home.sessions().openFile(path);
    assert.ok(info?.saved);
    const run = await home.opened({ ...info, saved: { ...info.saved, isRunning: false } });
    assert.equal(messagesOf(run).at(-1), 'the session ends here, while exec_command: tail -f README.md ran');
    const live = await home.opened({ ...info, saved: { ...info.saved, isRunning: true } });
    assert.ok(!messagesOf(live).some((message) => message.includes('ends here')));
  });

  const failing = (...rest: readonly object[]): Promise<FileRunInfo | undefined> => {
    const sessionId = '0c5f0f0e-0000-4000-8000-000000000041';
    const common = { isSidechain: false, cwd: '/home/me/project', sessionId, version: '2.1.332' };
    const prompt = { uuid: 'u1', parentUuid: null, type: 'user', message: { role: 'user', content: 'Run the tests' } };
    const lines = [prompt, ...rest].map((line, n) => {
      return { ...common, timestamp: `2026-11-22T09:00:0${n}.000Z`, ...line };
    });
    return home.sessions().openFile(home.write(`${project}/${sessionId}.jsonl`, lines));
  };

  it('shows the error of its first turn as evidence, and where a long one was cut', async () => {
    const why = `Prompt is too long: ${'many words of the provider '.repeat(20)}end`;
    const message = { id: 'm1', role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: why }] };
    const answer = { uuid: 'u2', parentUuid: 'u1', type: 'assistant', isApiErrorMessage: true, message };
    const { store } = (await home.opened(await failing({ ...answer, error: 'invalid_request' }))).log;
    const [problem] = store.query({ kinds: ['diagnosis'] });
    const { evidence = [] } = (problem?.data ?? {}) as { evidence?: readonly number[] };
    assert.deepEqual(
      evidence.map((seq): LogRecord['logger'] => store.get(seq)?.logger),
      ['turn'],
    );
    assert.match(problem?.message ?? '', /^Turn failed: .* many words of ?… [A-Z]/);
  });

  it('reports once what is left at its end', async () => {
    const retry = (n: number): object => {
      const error = { status: 529, message: 'Overloaded' };
      const ids = { uuid: `r${n}`, parentUuid: n === 1 ? 'u1' : `r${n - 1}` };
      return { ...ids, type: 'system', subtype: 'api_error', error, retryInMs: 500, retryAttempt: n, maxRetries: 10 };
    };
    const info = await failing(retry(1), retry(2), retry(3));
    assert.ok(info);
    const said: string[] = [];
    const ignore = (): void => undefined;
    const sink: LogSink = {
      ...{ work: new Work(noSteps), lastSeq: 0, begin: ignore, end: ignore, session: ignore },
      record: (draft) => said.push('message' in draft && draft.kind === 'diagnosis' ? (draft.message ?? '') : ''),
    };
    await readInto(info, sink, { redactor: undefined, isRunning: () => false });
    const problems = said.filter((message) => message !== '').map((message) => message.split('. ')[0]);
    assert.deepEqual(problems, ['The log ends after 3 of 10 retries: Overloaded (status 529)']);
  });

  it('may be a document, which is read again when it changes', async () => {
    const path = home.in('.cline/data/sessions/1795340634848_ci0q5/1795340634848_ci0q5.messages.json');
    const document = JSON.parse(readFileSync(path, 'utf8')) as { messages: unknown[] };
    writeFileSync(path, JSON.stringify({ ...document, messages: document.messages.slice(0, 2) }));
    const run = await openFile(path);
    const before = run.log.lastSeq;
    writeFileSync(path, '{"half":');
    writeFileSync(path, JSON.stringify(document));
    await untilSays(run, 'parse is not implemented.');
    assert.ok(run.log.lastSeq > before);
    assert.equal(messagesOf(run).filter((message) => message.startsWith('List the files')).length, 1);
  });

  it('rejects a file of another kind', async () => {
    const path = home.write('other.jsonl', '{"level":"info","message":"hi"}\n');
    assert.equal(await home.sessions().openFile(path), undefined);
    writeFileSync(path, 'SQLite format 3\0'.padEnd(200, '\0'));
    const why = hasSqlite ? /file is not a database/ : /needs Node\.js 22\.15 or later/;
    await assert.rejects(home.sessions().openFile(path), why);
  });

  it('reports that its file is gone', async () => {
    const all = home.sessions();
    const session = (await all.find('claude', claudeId)) ?? assert.fail('no session');
    rmSync(home.in(project), { recursive: true });
    const run = await home.opened(all.open(session));
    assert.match(messagesOf(run).at(-1) ?? '', /^The session can't be read: .*ENOENT/);
    assert.equal(run.state.type, 'ended');
  });
});
