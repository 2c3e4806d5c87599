import assert from 'node:assert/strict';
import { counted } from '../../../../support/countedSession';
import { forks } from '../../../../support/forkLines';
import { readSavedLines } from '../../../../support/savedRun';

const at = (second: number): string => new Date(Date.parse('2026-11-27T10:00:00.000Z') + second * 1000).toISOString();

describe('a fork', () => {
  for (const [agent, lines] of Object.entries(forks)) {
    it(`of ${agent} counts only what it did itself`, () => {
      const { title, forkedFrom, turns, sum, listed } = counted(lines);
      const isOpenCode = agent.startsWith('OpenCode');
      assert.equal(title, isOpenCode ? 'Plan it (fork #1)' : 'Go another way');
      assert.equal(forkedFrom, isOpenCode ? '' : 'origin');
      assert.deepEqual(turns, ['Go another way: 7/3 ok']);
      assert.equal(sum, '7/3');
      assert.equal(listed, 10);
    });

    it(`of ${agent} shows its history`, () => {
      const records = readSavedLines(lines.map((line) => JSON.stringify(line))).store.query();
      const history = records.filter(({ logger }) => logger === 'history').map(({ message }) => message);
      assert.ok(history.includes('Plan the shop'));
      assert.ok(records.some(({ message }) => /^forked from (?:session origin|another session)$/.test(message)));
    });
  }

  it('without a turn of its own has the title of its history', () => {
    const { title, turns } = counted(forks['Qwen Code']?.slice(0, 2) ?? []);
    assert.deepEqual([title, turns], ['Plan the shop', []]);
  });

  it('of Codex that refers to the history of its origin has a mark', () => {
    const header = { id: 'fork', cwd: '/home/dev', cli_version: '0.171.0', history_base: { thread_id: 'origin' } };
    const { forkedFrom } = counted([{ timestamp: at(0), ordinal: 75, type: 'session_meta', payload: header }]);
    assert.equal(forkedFrom, 'origin');
  });
});
