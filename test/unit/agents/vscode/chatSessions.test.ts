import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FileRun } from '../../../../src/past/files/fileRun';
import { column } from '../../../support/columns';
import { messagesOf, untilSays } from '../../../support/savedRun';
import { notedFs, useSavedHome } from '../../../support/savedSuite';

const fixtures = 'test/fixtures/saved';
const linesOf = (name: string): string[] =>
  readFileSync(join(fixtures, `vscode-${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
const code = '.config/Code/User';
const server = '.vscode-server/data/User';
const sessionFile = (user: string, id: string): string => `${user}/workspaceStorage/1a2b/chatSessions/${id}.jsonl`;

describe("sessions of VS Code's chat", () => {
  const home = useSavedHome();
  const opened = async (path: string): Promise<FileRun> => home.opened(await home.sessions().openFile(path));
  const write = (user: string, id: string, lines: readonly string[], at?: number): string =>
    home.write(sessionFile(user, id), `${lines.join('\n')}\n`, at);
  const workspace = (): string =>
    home.write(`${code}/workspaceStorage/1a2b/workspace.json`, '{"folder":"file:///home/me/my%20shop"}');

  it('are found in the User folders of all builds, newest first, with their folders', async () => {
    write(code, 'a', linesOf('terminal'), 1_795_500_000_000);
    workspace();
    write(server, 'b', linesOf('500'), 1_795_500_060_000);
    const noFolder = `${linesOf('no-folder').join('\n')}\n`;
    home.write(`${code}/globalStorage/emptyWindowChatSessions/c.jsonl`, noFolder, 1_795_500_030_000);
    const all = home.sessions();
    const [agent] = await all.agents();
    assert.deepEqual(agent?.folders, [home.in(code), home.in(server)]);
    const { sessions: listed, total } = await all.list('vscode');
    assert.equal(total, 3);
    const shown = listed.map(({ title = '', folder = '-', model = '', outcome = '', problem = '-' }) => {
      return [title.slice(0, 26), folder, model, outcome, problem].join(' | ');
    });
    assert.deepEqual(shown, [
      'Is the server broken? | - | mock-model | error | Server error: 500',
      'It is a small parser for l | - | mock-model | error | Incorrect API key provided: sk-mock.',
      'The tests fail with exit c | /home/dev/project | mock-model | ok | -',
    ]);
    assert.equal((await all.find('vscode', 'c'))?.title, listed[1]?.title);
  });

  it('are read only as far as they are listed, in whatever folder', async () => {
    write(code, 'a', linesOf('terminal'), 1_795_500_000_000);
    write(server, 'b', linesOf('500'), 1_795_500_060_000);
    const { fs, reads } = notedFs();
    const { sessions: listed, total } = await home.sessions({ fs }).list('vscode', { limit: 1 });
    const read = reads.map(({ path }) => basename(path));
    assert.deepEqual([listed.length, total, read], [1, 2, ['b.jsonl']]);
  });

  it('work in the folder of their window if they name none', async () => {
    write(code, 'b', linesOf('500'));
    workspace();
    const { sessions: listed } = await home.sessions().list('vscode', { folders: ['/home/me/my shop'] });
    assert.deepEqual(column(listed, 'folder'), ['/home/me/my shop']);
  });

  it('are listed from the beginning and end of a large file', async () => {
    for (const name of ['terminal', '429', 'cancelled', 'no-folder']) {
      const lines = linesOf(name);
      // A long result in the middle.
      const long = JSON.stringify({ kind: 1, k: ['requests', 0, 'followups'], v: ['x'.repeat(500_000)] });
      write(code, `${name}-small`, lines);
      write(code, `${name}-large`, lines.toSpliced(1, 0, long));
    }
    const { sessions: listed } = await home.sessions().list('vscode');
    for (const name of ['terminal', '429', 'cancelled', 'no-folder']) {
      const [small, large] = ['small', 'large'].map((size) => {
        const found = listed.find(({ path }) => path.includes(`${name}-${size}`));
        const { title, model, outcome, problem, startedAt, lastAt, folder } = found ?? assert.fail('not listed');
        return [title, model, outcome, problem, startedAt, lastAt, folder];
      });
      assert.deepEqual(large, small, name);
    }
  });

  it('are followed while they grow, and nothing is told twice', async () => {
    for (const name of ['terminal', 'subagent', 'edit', 'no-folder', '429']) {
      const lines = linesOf(name);
      const whole = messagesOf(await opened(write(code, `${name}-whole`, lines)));
      const path = write(code, name, lines.slice(0, 1));
      const run = await opened(path);
      for (const changes of written(lines.slice(1))) {
        appendFileSync(path, changes);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const turns = whole.filter((message) => /^(?:ended|failed|interrupted) after/.test(message));
      await untilSays(run, turns.at(-1) ?? '');
      const followed = messagesOf(run);
      const texts = whole.filter((message) => !/:|\(|^asked|^read_file|^replace/.test(message));
      for (const text of texts) {
        const count = (all: readonly string[]): number => all.filter((one) => one === text).length;
        assert.equal(count(followed), count(whole), `${name}: ${text}`);
      }
      assert.equal(run.log.spans({ kinds: ['tool'] }).filter(({ endedAt }) => endedAt === undefined).length, 0);
    }
  });

  it('go on when the file is rewritten, also if it is longer then', async () => {
    const lines = linesOf('no-folder');
    const path = write(code, 'a', lines);
    const run = await opened(path);
    const before = messagesOf(run).length;
    // As VS Code does after 1,024 changes: everything in one line.
    const whole = wholeOf(lines);
    const requests = whole['requests'] as Record<string, unknown>[];
    const rewrite = (all: readonly object[]): void =>
      writeFileSync(path, `${JSON.stringify({ kind: 0, v: { ...whole, requests: all } })}\n`);
    const asked = { ...requests[0], message: { text: 'And then?' } };
    rewrite([...requests, { ...asked, requestId: 'next', response: [{ value: 'Then it ends.' }] }]);
    await untilSays(run, 'Then it ends.');
    const after = messagesOf(run).slice(before);
    assert.ok(!after.some((message) => /parser|licence|Who may/.test(message)));
    assert.equal(run.log.sessions[0]?.summary?.lastTurn?.outcome, 'ok');
    rewrite([...requests.slice(0, 1), { ...asked, requestId: 'last', response: [{ value: 'Or not.' }] }]);
    await untilSays(run, 'Or not.');
    assert.equal(messagesOf(run).filter((message) => message === 'What is this project?').length, 1);
  });

  it("have the model calls of Copilot's debug log, and count their tokens once", async () => {
    const id = 'a05f277c-b9d3-4a81-b0de-e33bef17353d';
    const logs = `${code}/workspaceStorage/1a2b/GitHub.copilot-chat/debug-logs/${id}`;
    const call = (sid: string, ts: number, spanId: string, inputTokens: number): object => {
      const used = { model: 'mock-model', inputTokens, outputTokens: 60, cachedTokens: 300 };
      const attrs = { ...used, ttft: 154, inputMessages: 'long' };
      return { ts, dur: 40, sid, type: 'llm_request', name: 'chat:mock-model', spanId, status: 'ok', attrs };
    };
    const noise = { ts: 1_795_418_425_000, dur: 0, sid: id, type: 'discovery', name: 'x', attrs: {} };
    const main = [noise, call(id, 1_795_418_426_886, 'one', 1200), call(id, 1_795_418_432_564, 'two', 1350)];
    home.write(`${logs}/main.jsonl`, main);
    const sub = 'call_mock26_0';
    const ofSubagent = [call(sub, 1_795_418_427_735, 'three', 1000), call(sub, 1_795_418_431_985, 'four', 1100)];
    home.write(`${logs}/runSubagent-default-${sub}.jsonl`, ofSubagent);
    const run = await opened(write(code, id, linesOf('subagent')));
    const calls = run.log.store.query().filter(({ message }) => message === 'mock-model, first token after 154 ms');
    const areOfSubagent = calls.map(({ logger, sessionId }) => `${logger} ${sessionId?.endsWith(sub)}`);
    assert.deepEqual(areOfSubagent, ['model false', 'model true', 'model true', 'model false']);
    const turns = run.log.spans({ kinds: ['turn'] }).map(({ usage }) => [usage?.inputTokens, usage?.outputTokens]);
    assert.deepEqual(turns.flat(), [2550, 120, 2100, 120]);
  });

  it('of older versions and exports are documents', async () => {
    const { sessionId: _id, version: _version, ...whole } = wholeOf(linesOf('terminal'));
    const run = await opened(home.write('export/chat.json', JSON.stringify(whole)));
    assert.ok(messagesOf(run).includes('Please run the tests'));
    assert.equal(run.log.sessions[0]?.summary?.lastTurn?.outcome, 'ok');
    const all = whole['requests'] as Record<string, unknown>[];
    const requests = all.map(({ modelState: _state, ...request }) => request);
    const old = sessionFile(code, 'old').replace('.jsonl', '.json');
    home.write(old, JSON.stringify({ ...whole, sessionId: 'old', requests }));
    const [listed] = (await home.sessions().list('vscode')).sessions;
    assert.deepEqual([listed?.id, listed?.outcome], ['old', 'ok']);
  });

  it('show a text as often as the agent said it', async () => {
    const twice = [{ value: 'Let me look.' }, { kind: 'thinking', value: 'Hm.' }];
    const request = { requestId: 'r', message: { text: 'Find it.' }, response: [...twice, ...twice] };
    const requests = [{ ...request, modelState: { value: 1 }, result: {} }];
    const chat = { responderUsername: 'Copilot', sessionId: 's', requests };
    const path = home.write('export.json', JSON.stringify(chat));
    const said = messagesOf(await opened(path)).filter((text) => text === 'Let me look.' || text === 'Hm.');
    assert.equal(said.length, 4);
  });

  it('are opened from any folder', async () => {
    for (const file of readdirSync(fixtures).filter((name) => name.startsWith('vscode-') && name.endsWith('.jsonl'))) {
      const info = await home.sessions().openFile(join(fixtures, file));
      assert.equal(info?.saved?.agent, 'vscode', file);
    }
  });
});

/** What VS Code writes at once: changes of the response are the last ones. */
function written(lines: readonly string[]): string[] {
  const batches = [''];
  for (const line of lines) {
    batches.push(`${batches.pop() ?? ''}${line}\n`);
    if (line.includes('"response"]')) batches.push('');
  }
  return batches;
}

/** The state after all changes. */
function wholeOf(lines: readonly string[]): Record<string, unknown> {
  let state: Record<string | number, unknown> = {};
  for (const line of lines) {
    const change = JSON.parse(line) as { kind: number; k?: (string | number)[]; v?: unknown; i?: number };
    const { kind, k = [], v, i } = change;
    if (kind === 0) {
      state = v as typeof state;
      continue;
    }
    const at = k.slice(0, -1).reduce((node, key) => node[key] as typeof state, state);
    const last = k.at(-1) ?? '';
    if (kind === 1) at[last] = v;
    else if (kind === 2) {
      const array = (at[last] ??= []) as unknown[];
      if (i !== undefined) array.length = i;
      array.push(...((v as unknown[] | undefined) ?? []));
    } else Reflect.deleteProperty(at, last);
  }
  return state;
}
