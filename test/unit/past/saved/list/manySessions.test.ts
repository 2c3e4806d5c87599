import assert from 'node:assert/strict';
import type { SavedFs } from '../../../../../src/past/saved/list/savedFs';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { parseSessionFilter } from '../../../../../src/past/saved/list/sessionFilter';
import { savedHomeOptions } from '../../../../support/savedHome';

const count = 1500;
const ids = Array.from({ length: count }, (_, at) => `0c5f0f0e-0000-4000-8000-${String(at).padStart(12, '0')}`);
const prompt = { type: 'user', timestamp: '2026-11-28T10:00:00Z', message: { role: 'user', content: 'Sort the cart' } };
const file = Buffer.from(`${JSON.stringify({ ...prompt, sessionId: ids[0], uuid: 'u1' })}\n`);

/** Claude Code's sessions, each with a folder, on a disk that answers at once. Tells how often it was asked. */
function atOnce(asked: () => void): SavedFs {
  const isProject = (folder: string): boolean => folder.endsWith('-home-dev-shop');
  return {
    list(folder, ...names) {
      const place = [folder, ...names].join('/');
      if (place.endsWith('projects')) return Promise.resolve([{ name: '-home-dev-shop', isFolder: true }]);
      if (isProject(place)) {
        const of = (name: string): { name: string; isFolder: boolean }[] => [
          { name, isFolder: true },
          { name: `${name}.jsonl`, isFolder: false },
        ];
        return Promise.resolve(ids.flatMap(of));
      }
      if (place.endsWith('subagents')) asked();
      return Promise.resolve([]);
    },
    isDenied: () => Promise.resolve(false),
    stat: () => Promise.resolve({ size: file.length, modifiedAt: 1 }),
    read: () => {
      asked();
      return Promise.resolve(file);
    },
  };
}

describe('many saved sessions that are known already', () => {
  const filter = parseSessionFilter('outcome:failed');
  const rows: Readonly<Record<string, (saved: SavedSessions) => Promise<unknown>>> = {
    list: (saved) => saved.list('claude', { limit: count }),
    'filtered list': (saved) => saved.list('claude', { filter }),
    search: (saved) => saved.searchable('claude'),
  };
  for (const [name, work] of Object.entries(rows)) {
    it(`let other work run: ${name}`, async () => {
      const turns = [0];
      const fs = atOnce(() => (turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1));
      const saved = new SavedSessions({ ...savedHomeOptions('/home/dev'), fs });
      const timer = { isDone: false };
      const turn = (): void => {
        turns.push(0);
        if (!timer.isDone) setImmediate(turn);
      };
      setImmediate(turn);
      await work(saved);
      timer.isDone = true;
      const all = turns.reduce((sum, one) => sum + one, 0);
      assert.ok(all >= count, `asked ${all} times`);
      assert.ok(Math.max(...turns) < all / 2, `asked ${Math.max(...turns)} of ${all} times at once`);
    });
  }
});
