import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { ClaudeLines } from '../../../support/claudeLines';
import { savedHomeOptions } from '../../../support/savedHome';
import { usageViews } from '../../../support/usageViews';

type Line = Readonly<Record<string, unknown>>;

const idOf = (n: number): string => `0c5f0f0e-0000-4000-8000-00000000000${n}`;
const now = Date.parse('2026-11-28T12:00:00Z');

/** A turn of 100 · n tokens, with another name of its records in each copy if only the answers keep their IDs. */
function turn(n: number, copy: string): readonly Line[] {
  const lines = new ClaudeLines('', `2026-11-2${n + 2}`);
  const own = [lines.prompt(`u${n}${copy}`, `Step ${n}`), lines.answer(`a${n}${copy}`, `m${n}`, [100 * n, n])];
  return own as Line[];
}

interface Row {
  readonly version: string;
  /** What each file has: the numbers of its turns. */
  readonly files: readonly (readonly number[])[];
  /** True if copies have record IDs of their own. */
  readonly isRenamed?: boolean;
  /** True if copied lines have the ID of the session that they come from. */
  readonly keepsSession?: boolean;
  /** `title input < origin` of each file. */
  readonly expected: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  'a new file with all that was before': {
    version: '1.0.88',
    files: [[1], [1, 2]],
    expected: ['Step 1 100', 'Step 2 200 < 0'],
  },
  'new record IDs': {
    version: '1.0.88',
    files: [[1], [1, 2]],
    isRenamed: true,
    expected: ['Step 1 100', 'Step 2 200 < 0'],
  },
  'the ID of the old session in copied lines': {
    version: '1.0.88',
    files: [[1], [1, 2]],
    keepsSession: true,
    expected: ['Step 1 100', 'Step 2 200 < 0'],
  },
  'resumed three times': {
    version: '2.0.14',
    files: [[1], [1, 2], [1, 2, 3], [1, 4]],
    expected: ['Step 1 100', 'Step 2 200 < 0', 'Step 3 300 < 0', 'Step 4 400 < 0'],
  },
  'resumed, and nothing asked': {
    version: '1.0.88',
    files: [[1], [1]],
    expected: ['Step 1 100', 'Step 1 0 < 0'],
  },
  'another session of the same project': {
    version: '1.0.88',
    files: [[1], [2]],
    expected: ['Step 1 100', 'Step 2 200'],
  },
};

describe('what was copied into the new file of a resumed session, without a mark,', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  for (const [name, { version, files, isRenamed = false, keepsSession = false, expected }] of Object.entries(rows)) {
    it(`is counted once: ${name}`, async () => {
      const folder = join(home, '.claude/projects/-home-dev-shop');
      mkdirSync(folder, { recursive: true });
      for (const [at, turns] of files.entries()) {
        const lines = turns.flatMap((n) => {
          const sessionId = keepsSession && n !== turns.at(-1) ? idOf(0) : idOf(at);
          return turn(n, isRenamed ? `-${at}` : '').map((line) => ({ ...line, sessionId, version }));
        });
        const path = join(folder, `${idOf(at)}.jsonl`);
        writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        utimesSync(path, now / 1000, now / 1000);
      }
      const options = { ...savedHomeOptions(home), now: () => now };
      const views = [...(await usageViews(options))].sort((a, b) => (a.session.path < b.session.path ? -1 : 1));
      assert.deepEqual(
        views.map(({ session: { title, forkedFrom }, turns }) => {
          const [input = ''] = turns.split('/');
          return `${title} ${input}${forkedFrom === undefined ? '' : ` < ${forkedFrom.slice(-1)}`}`;
        }),
        expected,
      );
      for (const { row, counted, session, json, turns } of views) {
        assert.deepEqual([row, json], [counted, turns], session.path);
        assert.equal(session.id, session.path.slice(-42, -6));
      }
      const all = [...new Set(files.flat())].reduce((sum, n) => sum + 101 * n, 0);
      assert.equal((await new SavedSessions(options).used('claude')).week.tokens, all);
    });
  }
});
