import { savedHome, savedUntil } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredList, MeasuredStep } from '../subjects/savedList';

const titles: Readonly<Record<string, string>> = {
  group: 'the newest of each agent',
  page: 'a page of each, read for the first time',
  again: 'the same again',
  folder: 'a page of a folder',
  filter: 'a page of a filter that fits every 100th',
  used: 'what was used in a week',
  'next window': 'a page in the next window, with the cache file',
  search: 'a search for a word, without ripgrep',
};

/** Lists the sessions that agents saved: half of Claude Code, half of Codex. */
export const savedList: Figure = async ({ quick, rounds }) => {
  const rows: Row[] = [];
  for (const count of quick ? [100, 10_000] : [100, 10_000, 100_000]) {
    const subject = { name: 'ours', program: 'savedList', args: [savedHome(count), String(savedUntil)] };
    const all = (await sideBySide<MeasuredList>([subject], Math.min(rounds, 3))).get('ours') ?? [];
    const of = (value: (one: MeasuredList) => number): number => median(all.map(value));
    const title = `${count.toLocaleString('en')} saved sessions`;
    for (const [at, { name, found }] of (all[0]?.steps ?? []).entries()) {
      const each = (field: keyof Omit<MeasuredStep, 'name'>): number => of((one) => one.steps[at]?.[field] ?? NaN);
      const details = `CPU ${each('cpuMs').toFixed(0)} ms, longest pause ${each('pauseMs').toFixed(0)} ms, ${found} found`;
      // Each file is looked at; a search reads all of them.
      const goal = name === 'search' ? 500 + count / 2 : 300 + count / 25;
      rows.push(atMost(`${title}, ${titles[name] ?? name}`, each('ms'), goal, 'ms', details));
    }
    const heap = of(({ heapBytes }) => heapBytes) / 1024 ** 2;
    rows.push(atMost(`${title}, memory afterwards`, heap, 64, 'MiB'));
  }
  return rows;
};
