import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs, RunViews } from '../../../../../src/runs/runs';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { listRuns } from '../../../../../src/runs/lmTools/listRuns';
import { askingSession } from '../../../../../src/runs/lmTools/askingSession';
import { searchRecords } from '../../../../../src/runs/lmTools/searchRecords';
import { ToolRuns } from '../../../../../src/ui/surfaces/lmTools/toolRuns';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';
import { redactionWith } from '../../../../support/redaction';

describe('the runs of chat tools', () => {
  let home: string;
  let fileRuns: FileRuns;
  const { token } = new CancellationTokenSource();

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    mkdirSync(join(home, 'journals'));
    const folder = new JournalFolder(join(home, 'journals'));
    fileRuns = new FileRuns(folder, folder, () => ({ level: 'info', maxMemory: 1e7 }));
  });

  afterEach(async () => {
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  function toolRuns(isShown = true, folders: readonly string[] = ['/home/me/project']): ToolRuns {
    const saved = new SavedSessions(savedHomeOptions(home));
    const views = new RunViews(new Runs(), fileRuns);
    return new ToolRuns(views, fileRuns, () => true, { isShown, folders, load: () => Promise.resolve(saved) });
  }

  it("list the saved sessions of the workspace's folders", async () => {
    const text = listRuns(await toolRuns().all(undefined));
    assert.match(
      text,
      /- "Parser tests" id \w+, session saved by Claude Code, started 2026-11-20T10:00:01\.000Z, not read/,
    );
    assert.match(text, /session saved by Copilot CLI/);
    assert.ok(!text.includes('Gemini'), 'of another folder');
  });

  it('leave saved sessions out if they may not be read, or no folder is open', async () => {
    assert.deepEqual(await toolRuns(false).all(undefined), []);
    assert.deepEqual(await toolRuns(true, []).all(undefined), []);
  });

  it("leave out the session of VS Code's chat that asks", async () => {
    const chats = join(home, '.config/Code/User/workspaceStorage/1a2b/chatSessions');
    mkdirSync(chats, { recursive: true });
    const names = {
      terminal: 'dffaeb6c-aa6d-4953-b7aa-b7a8e507e8f7',
      subagent: 'a05f277c-b9d3-4a81-b0de-e33bef17353d',
    };
    for (const [name, id] of Object.entries(names)) {
      cpSync(`test/fixtures/saved/vscode-${name}.jsonl`, join(chats, `${id}.jsonl`));
      utimesSync(join(chats, `${id}.jsonl`), new Date(1_795_500_000_000), new Date(1_795_500_000_000));
    }
    const runs = toolRuns(true, ['/home/dev/project']);
    const listed = async (asking?: string): Promise<string[]> =>
      listRuns(await runs.all(asking))
        .split('\n')
        .filter((line) => line.includes('saved by VS Code Chat'));
    assert.equal((await listed()).length, 2, 'neither is running');
    const path = `/${Buffer.from(names.terminal).toString('base64')}`;
    const asking = askingSession({ sessionResource: { scheme: 'vscode-chat-session', authority: 'local', path } });
    assert.equal(asking, names.terminal);
    const [other, ...rest] = await listed(asking);
    assert.ok(other?.includes('The helper found one TODO') && rest.length === 0);
    const found = await runs.find('The tests fail with exit code 3: parse is not implemented.', asking, token);
    assert.ok(typeof found === 'string' && found.includes('no such run'));
  });

  it('know the session that asks from any form of the token', () => {
    assert.equal(askingSession({ sessionId: 'abc' }), 'abc');
    assert.equal(askingSession({ sessionResource: { scheme: 'copilotcli', path: '/762ae023' } }), '762ae023');
    for (const odd of [
      undefined,
      'x',
      {},
      { sessionResource: { scheme: 'copilotcli', path: '/a/b' } },
      { sessionResource: 1 },
    ]) {
      assert.equal(askingSession(odd), undefined);
    }
  });

  it('find a saved session by its title, and read it', async () => {
    const run = await toolRuns().find('Parser tests', undefined, token);
    assert.ok(typeof run !== 'string');
    assert.match(
      await searchRecords(run, { query: 'kind:diagnosis' }, redactionWith()),
      /npm test.* exited with code 3/,
    );
  });
});
