import { logs, longMessages } from '../harness/corpus';
import type { Figure, FigureOptions, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import { median, sideBySide } from '../harness/sideBySide';

const mebibyte = 1024 * 1024;

/** Costs that shouldn't depend on how much there is of everything else, in CPU time. */
export const growth: Figure = async (options) => [await bySessions(options), await byLength(options)];

async function bySessions({ quick, rounds }: FigureOptions): Promise<Row> {
  const count = quick ? 100_000 : 300_000;
  const sizes = [10, 1000, 10_000].map((size) => ({
    size,
    files: [logs(count, size)],
    args: [`--sessions=${size}`],
    units: count / 1000,
  }));
  return growthOf('a message', 'sessions', 'ms per 1,000', sizes, rounds);
}

async function byLength({ quick, rounds }: FigureOptions): Promise<Row> {
  const total = (quick ? 100 : 200) * mebibyte;
  const sizes = [1, 10, 100].map((size) => ({
    size,
    files: [longMessages(size * mebibyte, total)],
    args: [],
    units: total / mebibyte,
  }));
  return growthOf('a megabyte', 'MB in one message', 'ms', sizes, rounds);
}

interface Size {
  readonly size: number;
  readonly files: readonly string[];
  readonly args: readonly string[];
  /** Divides the CPU time. */
  readonly units: number;
}

/** The largest cost relative to the smallest. */
async function growthOf(
  what: string,
  ofWhat: string,
  unit: string,
  sizes: readonly Size[],
  rounds: number,
): Promise<Row> {
  const subjects = sizes.map(({ size, files, args }) => ({ name: String(size), program: 'wholeWay', files, args }));
  const runs = await sideBySide(subjects, rounds);
  const costs = sizes.map(
    ({ size, units }) => median((runs.get(String(size)) ?? []).map(({ cpuMs }) => cpuMs)) / units,
  );
  const details = sizes.map(({ size }, n) => `${size}: ${costs[n]?.toFixed(2)}`).join(', ');
  return atMost(
    `growth, ${what} by number of ${ofWhat}`.replace('number of MB', 'MB'),
    Math.max(...costs) / Math.min(...costs),
    1.5,
    '×',
    `${details} ${unit}`,
  );
}
