import { logs, longMessages, savedHome, savedUntil } from '../harness/corpus';
import type { Figure, FigureOptions, Row } from '../harness/figure';
import { atMost } from '../harness/figure';
import type { Subject } from '../harness/sideBySide';
import { median, sideBySide } from '../harness/sideBySide';
import type { MeasuredTree } from '../subjects/tree';

const mebibyte = 1024 * 1024;

/** Costs that shouldn't depend on how much there is of everything else, in CPU time. */
export const growth: Figure = async (options) => [
  await byAgents(options),
  await bySessions(options),
  await byLength(options),
  await bySaved(options),
  await redraws(options),
];

async function byAgents({ quick, rounds }: FigureOptions): Promise<Row> {
  const seconds = quick ? 3 : 10;
  const sizes = [1, 10, 100].map((size) => ({
    size,
    program: 'agents',
    args: [logs(100_000), String(size), String(seconds)],
    units: seconds,
  }));
  const what = 'a message by number of agents with 1,000 a second together';
  return growthOf(what, 'ms per 1,000', sizes, Math.min(rounds, 3));
}

async function bySessions({ quick, rounds }: FigureOptions): Promise<Row> {
  const count = quick ? 100_000 : 300_000;
  const sizes = [10, 1000, 10_000].map((size) => ({
    size,
    program: 'wholeWay',
    files: [logs(count, size)],
    args: [`--sessions=${size}`],
    units: count / 1000,
  }));
  return growthOf('a message by number of sessions', 'ms per 1,000', sizes, rounds);
}

async function byLength({ quick, rounds }: FigureOptions): Promise<Row> {
  const total = (quick ? 100 : 200) * mebibyte;
  const sizes = [1, 10, 100].map((size) => ({
    size,
    program: 'wholeWay',
    files: [longMessages(size * mebibyte, total)],
    units: total / mebibyte,
  }));
  return growthOf('a megabyte by MB in one message', 'ms', sizes, rounds);
}

async function bySaved({ quick, rounds }: FigureOptions): Promise<Row> {
  const sizes = [100, 10_000, ...(quick ? [] : [100_000])].map((size) => ({
    size,
    program: 'savedList',
    args: [savedHome(size), String(savedUntil)],
    units: size,
  }));
  const what = 'a saved session by their number, listed, filtered, counted and searched';
  return growthOf(what, 'ms', sizes, Math.min(rounds, 3));
}

/** What a window does in a row after a change of a run with many sessions. */
async function redraws({ rounds }: FigureOptions): Promise<Row> {
  const sizes = [10, 1000, 10_000];
  const subjects = sizes.map((size) => ({ name: String(size), program: 'tree', args: [String(size)] }));
  const runs = await sideBySide<MeasuredTree>(subjects, Math.min(rounds, 3));
  const of = (size: number, part: keyof MeasuredTree['parts']): number =>
    median((runs.get(String(size)) ?? []).map(({ parts }) => parts[part][0]));
  const parts = ['rows', 'marks', 'commands'] as const;
  const details = sizes.map((size) => `${size}: ${parts.map((part) => of(size, part).toFixed(1)).join(' + ')}`);
  const longest = Math.max(...sizes.flatMap((size) => parts.map((part) => of(size, part))));
  return atMost(
    "the tree's refresh by number of sessions",
    longest,
    16,
    'ms',
    `${details.join(', ')}: ${parts.join(', ')}`,
  );
}

interface Size extends Omit<Subject, 'name'> {
  readonly size: number;
  /** Divides the CPU time. */
  readonly units: number;
}

/** The largest cost relative to that of the smallest size. */
async function growthOf(what: string, unit: string, sizes: readonly Size[], rounds: number): Promise<Row> {
  const subjects = sizes.map(({ size, ...subject }) => ({ ...subject, name: String(size) }));
  const runs = await sideBySide<{ readonly cpuMs: number }>(subjects, rounds);
  const costs = sizes.map(
    ({ size, units }) => median((runs.get(String(size)) ?? []).map(({ cpuMs }) => cpuMs)) / units,
  );
  const details = sizes.map(({ size }, n) => `${size}: ${costs[n]?.toFixed(2)}`).join(', ');
  return atMost(`growth, ${what}`, Math.max(...costs) / (costs[0] ?? NaN), 1.5, '×', `${details} ${unit}`);
}
