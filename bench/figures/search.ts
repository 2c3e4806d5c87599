import { logs } from '../harness/corpus';
import type { Figure } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredSearch } from '../subjects/search';

/** Searches over the records in memory. */
export const search: Figure = async ({ quick, rounds }) => {
  const args = [logs(quick ? 100_000 : 1_000_000)];
  const runs = await sideBySide<MeasuredSearch>([{ name: 'ours', program: 'search', args }], rounds);
  const all = runs.get('ours') ?? [];
  const of = (field: keyof MeasuredSearch): number => median(all.map((one) => one[field]));
  const details = (hits: number, bare: number): string =>
    `${hits} of ${of('records')} records; over plain arrays ${bare.toFixed(1)} ms`;
  return [
    atMost('text in memory', of('textMs'), 40, 'ms', details(of('hits'), of('bareTextMs'))),
    atMost(
      'level in memory, as the tree shows it',
      of('pagesMs'),
      5,
      'ms',
      'the newest 100 of each of 20 sessions, and the count of the others',
    ),
    atMost(
      'level in memory, each hit as an object',
      of('levelMs'),
      5,
      'ms',
      details(of('levelHits'), of('bareLevelMs')),
    ),
  ];
};
