import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { inEnglish } from '../../../../../src/text/translator';
import { hasSqlite } from '../../../../support/databases';
import { savedHomeOptions } from '../../../../support/savedHome';

describe('sessions that are in no database that can be read', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const sessions = (): SavedSessions => new SavedSessions(savedHomeOptions(home));

  it('of OpenCode need a Node.js that supports SQLite', async () => {
    mkdirSync(join(home, '.local/share/opencode'), { recursive: true });
    writeFileSync(join(home, '.local/share/opencode/opencode.db'), 'SQLite format 3\0');
    const list = await sessions().list('opencode');
    assert.deepEqual(list.sessions, []);
    const why = hasSqlite ? /^OpenCode's database can't be read/ : /needs Node\.js 22\.15 or later/;
    assert.match(inEnglish(list.problem!), why);
  });

  it('of OpenCode before it had a database: a sentence says how they get there', async () => {
    const folder = join(home, '.local/share/opencode');
    const problem = async (): Promise<string> => {
      const { sessions: none, problem: words } = await sessions().list('opencode');
      assert.deepEqual(none, []);
      return words ? inEnglish(words) : '';
    };
    assert.equal(await problem(), '');
    mkdirSync(join(folder, 'storage/session/p1'), { recursive: true });
    assert.match(
      await problem(),
      /^OpenCode before 1\.2 saved the sessions in .*session\. Start OpenCode 1\.2 or later/,
    );
    assert.ok((await sessions().agents()).some(({ agent }) => agent === 'opencode'));
    writeFileSync(join(folder, 'opencode.db'), '');
    assert.doesNotMatch(await problem(), /before 1\.2/);
  });
});
