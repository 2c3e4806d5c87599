import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FileRun } from '../../../../src/past/files/fileRun';
import type { SavedFs } from '../../../../src/past/saved/list/savedFs';
import { nodeFs } from '../../../../src/past/saved/list/savedFs';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { savedHomeOptions } from '../../../support/savedHome';
import { messagesOf, untilSays } from '../../../support/savedRun';

const fixtures = 'test/fixtures/saved';
const linesOf = (name: string): string[] =>
  readFileSync(join(fixtures, `vscode-${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
const code = '.config/Code/User';
const server = '.vscode-server/data/User';
const sessionFile = (user: string, id: string): string => `${user}/workspaceStorage/1a2b/chatSessions/${id}.jsonl`;

describe("sessions of VS Code's chat", () => {
  let home: string;
  let runs: FileRun[];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    runs = [];
  });
  afterEach(async () => {
    await Promise.all(runs.map((run) => run.dispose()));
    rmSync(home, { recursive: true, force: true });
  });

  const write = (path: string, text: string, at = 0): string => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (at > 0) utimesSync(file, new Date(at), new Date(at));
    return file;
  };
  const sessions = (options: Partial<ConstructorParameters<typeof SavedSessions>[0]> = {}): SavedSessions =>
    new SavedSessions({ ...savedHomeOptions(home), ...options });
  const opened = async (path: string): Promise<FileRun> => {
    const info = await sessions().openFile(path);
    assert.ok(info);
    const run = new FileRun(info, { level: 'debug', maxMemory: 1e7, redaction: undefined });
    runs.push(run);
    await run.read();
    return run;
  };

  it('are found in the User folders of all builds, newest first, with their folders', async () => {
    write(sessionFile(code, 'a'), `${linesOf('terminal').join('\n')}\n`, 1_795_500_000_000);
    write(`${code}/workspaceStorage/1a2b/workspace.json`, '{"folder":"file:///home/me/my%20shop"}');
    write(sessionFile(server, 'b'), `${linesOf('500').join('\n')}\n`, 1_795_500_060_000);
    write(
      `${code}/globalStorage/emptyWindowChatSessions/c.jsonl`,
      `${linesOf('no-folder').join('\n')}\n`,
      1_795_500_030_000,
    );
    const all = sessions();
    const [agent] = await all.agents();
    assert.deepEqual(agent?.folders, [join(home, code), join(home, server)]);
    const { sessions: listed, total } = await all.list('vscode');
    assert.equal(total, 3);
    assert.deepEqual(
      listed.map(({ title, folder, model, outcome, problem }) => [title, folder, model, outcome, problem]),
      [
        ['Is the server broken?', undefined, 'mock-model', 'error', 'Server error: 500'],
        [
          'It is a small parser for log lines. It has one module, `src/index.js`, and a test script.',
          undefined,
          'mock-model',
          'error',
          'Incorrect API key provided: sk-mock.',
        ],
        [
          'The tests fail with exit code 3: parse is not implemented.',
          '/home/dev/project',
          'mock-model',
          'ok',
          undefined,
        ],
      ],
    );
    assert.equal((await all.find('vscode', 'c'))?.title, listed[1]?.title);
  });

  it('are read only as far as they are listed, in whatever folder', async () => {
    write(sessionFile(code, 'a'), `${linesOf('terminal').join('\n')}\n`, 1_795_500_000_000);
    write(sessionFile(server, 'b'), `${linesOf('500').join('\n')}\n`, 1_795_500_060_000);
    const read: string[] = [];
    const fs: SavedFs = {
      ...nodeFs,
      read: (path, ...place) => {
        read.push(basename(path));
        return nodeFs.read(path, ...place);
      },
    };
    const { sessions: listed, total } = await sessions({ fs }).list('vscode', { limit: 1 });
    assert.deepEqual([listed.length, total, read], [1, 2, ['b.jsonl']]);
  });

  it('work in the folder of their window if they name none', async () => {
    write(sessionFile(code, 'b'), `${linesOf('500').join('\n')}\n`);
    write(`${code}/workspaceStorage/1a2b/workspace.json`, '{"folder":"file:///home/me/my%20shop"}');
    const { sessions: listed } = await sessions().list('vscode', { folders: ['/home/me/my shop'] });
    assert.deepEqual(
      listed.map(({ folder }) => folder),
      ['/home/me/my shop'],
    );
  });

  it('are listed from the beginning and end of a large file', async () => {
    for (const name of ['terminal', '429', 'cancelled', 'no-folder']) {
      const lines = linesOf(name);
      // A long result in the middle.
      const long = JSON.stringify({ kind: 1, k: ['requests', 0, 'followups'], v: ['x'.repeat(500_000)] });
      write(sessionFile(code, `${name}-small`), `${lines.join('\n')}\n`);
      write(sessionFile(code, `${name}-large`), `${lines.toSpliced(1, 0, long).join('\n')}\n`);
    }
    const { sessions: listed } = await sessions().list('vscode');
    for (const name of ['terminal', '429', 'cancelled', 'no-folder']) {
      const [small, large] = ['small', 'large'].map((size) => {
        const found = listed.find(({ path }) => path.includes(`${name}-${size}`));
        return (
          found && [found.title, found.model, found.outcome, found.problem, found.startedAt, found.lastAt, found.folder]
        );
      });
      assert.ok(small);
      assert.deepEqual(large, small, name);
    }
  });

  it('are followed while they grow, and nothing is told twice', async () => {
    for (const name of ['terminal', 'subagent', 'edit', 'no-folder', '429']) {
      const lines = linesOf(name);
      const whole = messagesOf(await opened(write(sessionFile(code, `${name}-whole`), `${lines.join('\n')}\n`)));
      const path = write(sessionFile(code, name), `${lines[0] ?? ''}\n`);
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
    const [first = '', ...rest] = linesOf('no-folder');
    const path = write(sessionFile(code, 'a'), `${[first, ...rest].join('\n')}\n`);
    const run = await opened(path);
    const before = messagesOf(run).length;
    // As VS Code does after 1,024 changes: everything in one line.
    const whole = wholeOf([first, ...rest]);
    const requests = whole['requests'] as Record<string, unknown>[];
    const next = {
      ...requests[0],
      requestId: 'next',
      message: { text: 'And then?' },
      response: [{ value: 'Then it ends.' }],
    };
    writeFileSync(path, `${JSON.stringify({ kind: 0, v: { ...whole, requests: [...requests, next] } })}\n`);
    await untilSays(run, 'Then it ends.');
    const after = messagesOf(run);
    assert.deepEqual(
      after.slice(before).filter((message) => /parser|licence|Who may/.test(message)),
      [],
    );
    assert.equal(run.log.sessions[0]?.summary?.lastTurn?.outcome, 'ok');
    writeFileSync(
      path,
      `${JSON.stringify({ kind: 0, v: { ...whole, requests: [...requests.slice(0, 1), { ...next, response: [{ value: 'Or not.' }], requestId: 'last' }] } })}\n`,
    );
    await untilSays(run, 'Or not.');
    assert.equal(messagesOf(run).filter((message) => message === 'What is this project?').length, 1);
  });

  it("have the model calls of Copilot's debug log, and count their tokens once", async () => {
    const id = 'a05f277c-b9d3-4a81-b0de-e33bef17353d';
    const logs = `${code}/workspaceStorage/1a2b/GitHub.copilot-chat/debug-logs/${id}`;
    const call = (sid: string, ts: number, spanId: string, inputTokens: number): string => {
      const attrs = {
        model: 'mock-model',
        inputTokens,
        outputTokens: 60,
        cachedTokens: 300,
        ttft: 154,
        inputMessages: 'long',
      };
      return JSON.stringify({
        ts,
        dur: 40,
        sid,
        type: 'llm_request',
        name: 'chat:mock-model',
        spanId,
        status: 'ok',
        attrs,
      });
    };
    const noise = JSON.stringify({ ts: 1_795_418_425_000, dur: 0, sid: id, type: 'discovery', name: 'x', attrs: {} });
    const main = [noise, call(id, 1_795_418_426_886, 'one', 1200), call(id, 1_795_418_432_564, 'two', 1350)];
    write(`${logs}/main.jsonl`, `${main.join('\n')}\n`);
    write(
      `${logs}/runSubagent-default-call_mock26_0.jsonl`,
      `${call('call_mock26_0', 1_795_418_427_735, 'three', 1000)}\n${call('call_mock26_0', 1_795_418_431_985, 'four', 1100)}\n`,
    );
    const run = await opened(write(sessionFile(code, id), `${linesOf('subagent').join('\n')}\n`));
    const calls = run.log.store
      .query()
      .filter(({ logger, message }) => logger === 'model' && message.includes('first token'));
    assert.deepEqual(
      calls.map(({ message, sessionId }) => [message, sessionId?.endsWith('call_mock26_0')]),
      [
        ['mock-model, first token after 154 ms', false],
        ['mock-model, first token after 154 ms', true],
        ['mock-model, first token after 154 ms', true],
        ['mock-model, first token after 154 ms', false],
      ],
    );
    const turns = run.log.spans({ kinds: ['turn'] }).map(({ usage }) => [usage?.inputTokens, usage?.outputTokens]);
    assert.deepEqual(turns, [
      [2550, 120],
      [2100, 120],
    ]);
  });

  it('of older versions and exports are documents', async () => {
    const { sessionId: _id, version: _version, ...whole } = wholeOf(linesOf('terminal'));
    const run = await opened(write('export/chat.json', JSON.stringify(whole)));
    assert.ok(messagesOf(run).includes('Please run the tests'));
    assert.equal(run.log.sessions[0]?.summary?.lastTurn?.outcome, 'ok');
    const requests = (whole['requests'] as Record<string, unknown>[]).map(
      ({ modelState: _state, ...request }) => request,
    );
    write(
      sessionFile(code, 'old').replace('.jsonl', '.json'),
      JSON.stringify({ ...whole, sessionId: 'old', requests }),
    );
    const [listed] = (await sessions().list('vscode')).sessions;
    assert.deepEqual([listed?.id, listed?.outcome], ['old', 'ok']);
  });

  it('show a text as often as the agent said it', async () => {
    const response = [
      { value: 'Let me look.' },
      { kind: 'thinking', value: 'Hm.' },
      { value: 'Let me look.' },
      { kind: 'thinking', value: 'Hm.' },
    ];
    const requests = [
      { requestId: 'r', message: { text: 'Find it.' }, response, modelState: { value: 1 }, result: {} },
    ];
    const path = write('export.json', JSON.stringify({ responderUsername: 'Copilot', sessionId: 's', requests }));
    const said = messagesOf(await opened(path)).filter((text) => text === 'Let me look.' || text === 'Hm.');
    assert.equal(said.length, 4);
  });

  it('are opened from any folder', async () => {
    for (const file of readdirSync(fixtures).filter((name) => name.startsWith('vscode-') && name.endsWith('.jsonl'))) {
      const info = await sessions().openFile(join(fixtures, file));
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
    const {
      kind,
      k = [],
      v,
      i,
    } = JSON.parse(line) as { kind: number; k?: (string | number)[]; v?: unknown; i?: number };
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
