import assert from 'node:assert/strict';
import { cpSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationToken } from 'vscode-jsonrpc/node';
import { parseSessionFilter } from '../../../src/past/saved/list/sessionFilter';
import type { SaverId } from '../../../src/agents/agents';
import type { RunView } from '../../../src/runLog/runView';
import { FileRun } from '../../../src/past/files/fileRun';
import { factsOf, listRuns } from '../../../src/answers/listRuns';
import type { AskingClient } from '../../../src/answers/askingSession';
import { askingChat, askingOf, askingSession, savedOf } from '../../../src/answers/askingSession';
import { readRecords } from '../../../src/answers/readRecords';
import { column } from '../../support/columns';
import { redactionWith } from '../../support/redaction';
import { useSavedRuns } from '../../support/savedRuns';

const nobody = (): boolean => false;

function runningSaved(agent: SaverId, cwd: string, isRunning = true): RunView {
  const members = () => Promise.resolve([]);
  const saved = { agent, agentName: agent, shownPath: '', sessionId: 'abc', isRunning, members };
  const about = { id: 'x', origin: 'saved', name: 'x', protocol: 'saved', command: [], paths: [], size: 0 } as const;
  const info = { ...about, startedAt: 0, modifiedAt: 0, cwd, isRedacted: false, saved };
  return new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined });
}

describe('the runs that agents may read', () => {
  const { inHome, fileRuns, answerRuns: runsOf } = useSavedRuns();
  const token = CancellationToken.None;
  const answerRuns = (isShown = true, folders: readonly string[] = ['/home/me/project'], maxOpen?: number) =>
    runsOf(isShown, folders, maxOpen);

  it("list the saved sessions of the workspace's folders", async () => {
    const text = listRuns(await answerRuns().all(nobody), {});
    assert.match(
      text,
      /- "Parser tests" id \w+, session \S{8} saved by Claude Code, started 2026-11-20T10:00:01\.000Z, /,
    );
    assert.match(text, /, completed, model \S+, in \/home\/me\/project/);
    assert.match(text, /saved by Copilot CLI/);
    assert.ok(!text.includes('Gemini'), 'of another folder');
  });

  it('leave saved sessions out if they may not be read, or no folder is open', async () => {
    assert.deepEqual(await answerRuns(false).all(nobody), []);
    assert.deepEqual(await answerRuns(true, []).all(nobody), []);
  });

  it("leave out the session of VS Code's chat that asks", async () => {
    const chats = inHome('.config/Code/User/workspaceStorage/1a2b/chatSessions');
    mkdirSync(chats, { recursive: true });
    const own = 'dffaeb6c-aa6d-4953-b7aa-b7a8e507e8f7';
    const names = { terminal: own, subagent: 'a05f277c-b9d3-4a81-b0de-e33bef17353d' };
    for (const [name, id] of Object.entries(names)) {
      cpSync(`test/fixtures/saved/vscode-${name}.jsonl`, join(chats, `${id}.jsonl`));
      utimesSync(join(chats, `${id}.jsonl`), new Date(1_795_500_000_000), new Date(1_795_500_000_000));
    }
    const runs = answerRuns(true, ['/home/dev/project']);
    const listed = async (asking = askingChat(undefined)) =>
      listRuns(await runs.all(asking), {}).match(/.*saved by VS Code Chat.*/g);
    assert.equal((await listed())?.length, 2, 'neither is running');
    const path = `/${Buffer.from(own).toString('base64')}`;
    const chatToken = { sessionResource: { scheme: 'vscode-chat-session', authority: 'local', path } };
    assert.equal(askingSession(chatToken), own);
    const asking = askingChat(chatToken);
    const [other = '', ...rest] = (await listed(asking)) ?? [];
    assert.match(other, /The helper found one TODO/);
    assert.deepEqual(rest, []);
    const title = 'The tests fail with exit code 3: parse is not implemented.';
    await assert.rejects(runs.find(title, asking, token), /no such run/);
    // Unless its ID says that it is meant.
    assert.equal((await runs.find(own.slice(-8), asking, token)).name, title);
  });

  it('leave out the session of an MCP client that asks', async () => {
    const runs = answerRuns();
    const of = async (client: Partial<AskingClient>): Promise<string> => {
      const asking = { texts: new Set<string>(), name: '', isFolder: () => true, ...client };
      return listRuns(await runs.all(askingOf(asking, ['claude', 'copilot'])), {});
    };
    const all = await of({});
    const own = (await runs.all(nobody)).flatMap((run) => savedOf(run) ?? []);
    const id = own.find(({ agentName }) => agentName === 'Copilot CLI')?.sessionId ?? '';
    assert.match(all, /saved by Copilot CLI/);
    assert.doesNotMatch(await of({ texts: new Set(['x', id]) }), /saved by Copilot CLI/);
  });

  it('leave out what is running in the folder of a client that names no session, of its agent only', () => {
    const client = { texts: new Set<string>(), isFolder: (folder: string) => folder.startsWith('/work') };
    for (const [name, cwd, isRunning, isLeftOut] of [
      ['claude-code', '/work/app', true, true],
      ['some client', '/work/app', true, true],
      ['Some API', '/work/app', true, true],
      ['codex-mcp-client', '/work/app', true, false],
      ['claude-code', '/home/me', true, false],
      ['claude-code', '/work/app', false, false],
    ] as const) {
      const asking = askingOf({ ...client, name }, ['claude', 'codex', 'pi']);
      assert.equal(asking(runningSaved('claude', cwd, isRunning)), isLeftOut, `${name} ${cwd} ${isRunning}`);
    }
  });

  it('are found by their ID, by their name, and by the ID of their session or the end of it', async () => {
    const runs = answerRuns();
    const [first] = await runs.all(nobody);
    assert.ok(first);
    const sessionId = savedOf(first)?.sessionId ?? '';
    for (const wanted of [undefined, first.id, first.name, sessionId, sessionId.slice(-8)]) {
      assert.equal((await runs.find(wanted, nobody, token)).id, first.id, wanted);
    }
    for (const wanted of ['', 'x', '../../etc/passwd', '/etc/passwd', sessionId.slice(-5), '.*', '*'.repeat(2000)]) {
      await assert.rejects(runs.find(wanted, nobody, token), /There is no such run\. Agents that have run here: /);
    }
  });

  it('keep as many open as they are told', async () => {
    const runs = answerRuns(true, undefined, 1);
    const [one, two] = await runs.all(nobody);
    await runs.find(one?.id, nobody, token);
    await runs.find(two?.id, nobody, token);
    assert.deepEqual(column(fileRuns().open, 'id'), [two?.id]);
  });

  it('fit a filter like that of the Sessions view', async () => {
    const runs = answerRuns();
    const fitting = async (text: string): Promise<readonly string[]> =>
      (await runs.all(nobody, parseSessionFilter(text))).map((run) => factsOf(run).agent);
    assert.deepEqual([...new Set(await fitting('agent:copilot'))], ['Copilot CLI']);
    assert.deepEqual(await fitting('Parser'), ['Claude Code']);
    assert.deepEqual(await fitting('folder:nowhere'), []);
  });

  it('know the session that asks from any form of the token', () => {
    assert.equal(askingSession({ sessionId: 'abc' }), 'abc');
    assert.equal(askingSession({ sessionResource: { scheme: 'copilotcli', path: '/762ae023' } }), '762ae023');
    const sessionResource = { scheme: 'copilotcli', path: '/a/b' };
    for (const odd of [undefined, 'x', {}, { sessionResource }, { sessionResource: 1 }]) {
      assert.equal(askingSession(odd), undefined);
    }
  });

  it('find a saved session by its title, and read it', async () => {
    const run = await answerRuns().find('Parser tests', nobody, token);
    assert.match(await readRecords(run, { query: 'kind:diagnosis' }, redactionWith()), /npm test.* exited with code 3/);
  });
});
