import assert from 'node:assert/strict';
import { column } from '../../../support/columns';
import { ClaudeLines } from '../../../support/claudeLines';
import { savedHomeOptions } from '../../../support/savedHome';
import { useSavedHome } from '../../../support/savedSuite';
import { usageViews } from '../../../support/usageViews';

const idOf = (n: number): string => `0c5f0f0e-0000-4000-8000-00000000000${n}`;
const now = Date.parse('2026-11-28T12:00:00Z');

/** A turn of 100 · n tokens, with another name of its records in each copy if only the answers keep their IDs. */
function turn(n: number, copy: string): readonly object[] {
  const lines = new ClaudeLines('', `2026-11-2${n + 2}`);
  return [lines.prompt(`u${n}${copy}`, `Step ${n}`), lines.answer(`a${n}${copy}`, `m${n}`, [100 * n, n])];
}

/** What Claude Code varied: copies have record IDs of their own, or the ID of the session that they come from. */
type How = 'as they were' | 'new record IDs' | 'old session ID';

type Files = readonly (readonly number[])[];

/** The numbers of the turns that each file has, and `title input < origin` of each. */
const rows: readonly (readonly [
  name: string,
  version: string,
  files: Files,
  expected: readonly string[],
  how?: How,
])[] = [
  ['a new file with all that was before', '1.0.88', [[1], [1, 2]], ['Step 1 100', 'Step 2 200 < 0']],
  ['new record IDs', '1.0.88', [[1], [1, 2]], ['Step 1 100', 'Step 2 200 < 0'], 'new record IDs'],
  ['the ID of the old session in copies', '1.0.88', [[1], [1, 2]], ['Step 1 100', 'Step 2 200 < 0'], 'old session ID'],
  [
    'resumed three times',
    '2.0.14',
    [[1], [1, 2], [1, 2, 3], [1, 4]],
    ['Step 1 100', 'Step 2 200 < 0', 'Step 3 300 < 0', 'Step 4 400 < 0'],
  ],
  ['resumed, and nothing asked', '1.0.88', [[1], [1]], ['Step 1 100', 'Step 1 0 < 0']],
  ['another session of the same project', '1.0.88', [[1], [2]], ['Step 1 100', 'Step 2 200']],
];

describe('what was copied into the new file of a resumed session, without a mark,', () => {
  const home = useSavedHome();

  for (const [name, version, files, expected, how] of rows) {
    it(`is counted once: ${name}`, async () => {
      for (const [at, turns] of files.entries()) {
        const lines = turns.flatMap((n) => {
          const sessionId = how === 'old session ID' && n !== turns.at(-1) ? idOf(0) : idOf(at);
          return turn(n, how === 'new record IDs' ? `-${at}` : '').map((line) => ({ ...line, sessionId, version }));
        });
        home.write(`.claude/projects/-home-dev-shop/${idOf(at)}.jsonl`, lines, now);
      }
      const views = [...(await usageViews({ ...savedHomeOptions(home.path), now: () => now }))];
      views.sort((a, b) => (a.session.path < b.session.path ? -1 : 1));
      const found = views.map(({ session: { title, forkedFrom }, turns }) => {
        const [input = ''] = turns.split('/');
        return `${title} ${input}${forkedFrom === undefined ? '' : ` < ${forkedFrom.slice(-1)}`}`;
      });
      assert.deepEqual(found, expected);
      assert.deepEqual(column(views, 'row'), column(views, 'counted'));
      assert.deepEqual(column(views, 'json'), column(views, 'turns'));
      for (const { session } of views) assert.equal(session.id, session.path.slice(-42, -6));
      const all = [...new Set(files.flat())].reduce((sum, n) => sum + 101 * n, 0);
      assert.equal((await home.sessions({ now: () => now }).used('claude')).week.tokens, all);
    });
  }
});
