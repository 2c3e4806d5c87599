import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { savedHomeOptions } from '../../../../support/savedHome';
import { TestRuns } from '../../../../support/testRun';
import { treeRows } from '../../../../support/treeRows';

describe('the group of saved sessions', () => {
  const { rowsWith } = treeRows(new TestRuns());
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("isn't in an empty view only because VS Code has made the folder of its chats", async () => {
    const folder = join(home, '.config', 'Code', 'User', 'workspaceStorage', 'a1', 'chatSessions');
    mkdirSync(folder, { recursive: true });
    const sessions = new SavedSessions(savedHomeOptions(home));
    const rows = rowsWith({ saved: { isShown: true, folders: [], load: () => Promise.resolve(sessions) } });
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
    const requests = [{ requestId: 'r', message: { text: 'Hello' } }];
    const chat = { version: 3, creationDate: 1, sessionId: '1', requests };
    writeFileSync(join(folder, '1.jsonl'), `${JSON.stringify({ kind: 0, v: chat })}\n`);
    await rows.prepare();
    assert.equal(rows.all().at(-1), rows.saved);
  });
});
