import { logs } from '../harness/corpus';
import type { Figure, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredQueries, MeasuredQuery } from '../subjects/query';

/** Queries over a run that doesn't fit into memory. */
export const query: Figure = async ({ quick, rounds }) => {
  const subject = { name: 'ours', program: 'query', args: [logs(quick ? 100_000 : 1_000_000)] };
  const all = (await sideBySide<MeasuredQueries>([subject], Math.min(rounds, 3))).get('ours') ?? [];
  const of = (value: (one: MeasuredQueries) => number): number => median(all.map(value));
  const rows = (all[0]?.queries ?? []).flatMap(({ query: text, total }, at): Row[] => {
    const each = (field: Exclude<keyof MeasuredQuery, 'query'>): number => of((one) => one.queries[at]?.[field] ?? NaN);
    const rest = `rows ${each('rowsMs').toFixed(1)} ms, histogram ${each('histogramMs').toFixed(1)} ms`;
    // A page that isn't full is complete only with the total.
    const first = total < 60 ? [] : [atMost(`query \`${text}\`, first page`, each('firstMs'), 100, 'ms')];
    return [
      ...first,
      atMost(
        `query \`${text}\`, total`,
        each('doneMs'),
        text.startsWith('/') ? 1000 : 400,
        'ms',
        `${total} matches; ${rest}`,
      ),
    ];
  });
  const mebibytes = (bytes: number): number => bytes / 1024 ** 2;
  const kept = `${of(({ records }) => records)} records, ${of(({ dropped }) => dropped)} dropped`;
  return [
    ...rows,
    atMost(
      'queries, slice, 95th percentile',
      of(({ sliceMs }) => sliceMs),
      4,
      'ms',
    ),
    atMost('memory of a store with a file', mebibytes(of(({ held }) => held)), 34, 'MiB', kept),
    atMost(
      'the same with the bitmaps of all queries',
      mebibytes(of(({ heldWithBitmaps }) => heldWithBitmaps)),
      42,
      'MiB',
    ),
  ];
};
