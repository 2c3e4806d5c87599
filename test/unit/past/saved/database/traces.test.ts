import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRun } from '../../../../../src/past/files/fileRun';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { SqliteProcess } from '../../../../../src/past/saved/sqlite';
import { hasSqlite, writeDatabase } from '../../../../support/databases';
import { savedHomeOptions } from '../../../../support/savedHome';

describe("the database of Copilot Chat's traces", () => {
  let home: string;
  before(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  after(() => rmSync(home, { recursive: true, force: true }));

  if (!hasSqlite) {
    it('needs SQLite', () => assert.equal(hasSqlite, false));
    return;
  }

  const turns = async (session?: string): Promise<unknown> => {
    const path = join(home, 'agent-traces.db');
    const sessions = new SavedSessions({ ...savedHomeOptions(home), databases: new SqliteProcess() });
    const info = await sessions.openFile(path, session);
    assert.ok(info);
    assert.deepEqual([info.protocol, info.name], ['trace', 'agent-traces.db']);
    const run = new FileRun(info, { level: 'debug', maxMemory: 1e7, redaction: undefined });
    await run.read();
    await run.dispose();
    const spans = run.log.spans();
    return spans.map(({ kind, title, outcome, detail, usage, startedAt, endedAt = 0 }) => {
      const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage ?? {};
      const counts = usage && [inputTokens, outputTokens, cachedTokens, reasoningTokens];
      return [kind, title, outcome, detail ?? '', endedAt - startedAt, ...(counts ? [counts] : [])];
    });
  };

  const first = [
    ['turn', 'run the tests', 'ok', 'end_turn', 2600, [2550, 120, 300, 8]],
    ['tool', 'run_in_terminal: sh run-tests.sh', 'error', 'Command exited with code 3', 300],
  ];
  const second = [['turn', 'invoke_agent GitHub Copilot Chat', 'error', '429: rate limited by the provider', 500]];

  it('is read as turns and tools, in the order of their times', async () => {
    writeDatabase(join(home, 'agent-traces.db'), readFileSync('test/fixtures/saved/agent-traces.sql', 'utf8'));
    assert.deepEqual(await turns(), [...first, ...second]);
  });

  it("has one session's by the end of its ID", async () => {
    assert.deepEqual(await turns('2b6d1e44'), first);
    assert.deepEqual(await turns('2b6d1e55'), second);
    assert.deepEqual(await turns('nothing'), []);
  });
});
