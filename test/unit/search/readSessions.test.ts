import assert from 'node:assert/strict';
import type { SearchedSession } from '../../../src/search/searchedSession';
import { SessionSearch } from '../../../src/search/sessionSearch';
import { nodeScan } from '../../../src/search/textScan';

async function search(text: string, sessions: readonly SearchedSession[], scan = nodeScan): Promise<void> {
  const discard = (): Promise<void> => Promise.resolve();
  const events = { signal: new AbortController().signal, onHits: () => undefined, onProgress: () => undefined };
  const services = { sessions: () => Promise.resolve(sessions), scan, redactor: undefined, discard };
  await new SessionSearch(services).search(text, events);
}

describe('what a search reads', () => {
  const opensOf: readonly (readonly [text: string, opened: readonly string[], title: string])[] = [
    ['level:error needle', ['session 7'], 'only the one that has the word'],
    ['level:error needle pin', ['session 7'], 'only the one that has the longest word'],
    ['level:error "session 12"', ['session 12'], 'the one whose title it is'],
    ['level:error nowhere', [], 'none'],
    ['level:error', ['all'], 'all without a word'],
    ['level:error Nähnadel', ['all'], 'all if case is not that of ASCII'],
    ['level:error "C:\\\\temp"', ['all'], 'all if JSON escapes the word'],
    ['level:error raw:needle', ['all'], 'all if the word may be in the name of a column'],
  ];
  for (const [text, expected, title] of opensOf) {
    it(`reads of a database's sessions ${title}: ${text}`, async () => {
      const opened: string[] = [];
      const asked: (readonly [readonly string[], number])[] = [];
      const sessions = Array.from({ length: 20 }, (_, n): SearchedSession => {
        const key = `session ${n}`;
        return {
          ...{ key, modifiedAt: 1, paths: [] },
          rows: (words, limit) => {
            asked.push([words, limit]);
            return Promise.resolve(n === 7 && words.includes('needle') ? [{ text: '{}', at: 1 }] : []);
          },
          label: () => Promise.resolve({ title: key }),
          open: () => {
            opened.push(key);
            return Promise.reject(new Error('It was deleted'));
          },
        };
      });
      await search(text, sessions);
      assert.deepEqual(opened, expected[0] === 'all' ? sessions.map(({ key }) => key) : expected);
      assert.ok(asked.every(([words, limit]) => words.length === 1 && limit === 1));
    });
  }

  it('scans the files of a session in several command lines if there are too many', async () => {
    const paths = Array.from({ length: 5000 }, (_, n) => `/home/me/project/subagents/agent-${n}.jsonl`);
    const scans: (readonly string[])[] = [];
    const many = { key: 'many', modifiedAt: 1, paths, label: () => Promise.resolve({ title: 'many' }) };
    await search('needle', [{ ...many, open: () => Promise.reject(new Error('It was deleted')) }], (part) => {
      scans.push(part);
      return Promise.resolve();
    });
    assert.deepEqual(scans.flat(), paths);
    for (const part of scans) assert.ok(part.join('" "').length < 120_000, `${part.length} paths`);
  });
});
