import type { Sort } from '../../query/sorting';
import type { WireSort } from '../../runLog/wire/wirePage';
import { wireSortKeys } from '../../runLog/wire/wirePage';
import type { Tab } from './messages';
import { maxFilter, maxState, tabs } from './messages';

/** The columns that turns can be sorted by. */
const turnSortKeys = ['name', 'bars', 'took', 'tokens'] as const;
export type TurnSort = Sort<(typeof turnSortKeys)[number]>;

/** The state that survives a reload: the run, and what the user was looking at. */
export interface PageState {
  readonly run: string;
  readonly tab: Tab;
  readonly q: string;
  /** The filter of the Wire tab; absent until it was opened. */
  readonly wireQ: string | undefined;
  readonly wireSort: WireSort;
  readonly turnsQ: string;
  readonly turnsSort: TurnSort;
  /** The selected record. */
  readonly seq: number | undefined;
  /** Whether its details are open. */
  readonly isOpen: boolean;
  /** The record at the top of the view, unless the newest are followed. */
  readonly top: number | undefined;
  readonly follow: boolean;
  /** How many matches of the log weren't new, unless the newest are followed. */
  readonly seen: number | undefined;
  /** Width of the details pane as a share of the window, from 0.2 to 0.8. */
  readonly split: number;
  /** Bookmarked records. */
  readonly marks: readonly number[];
}

export const defaultSplit = 0.38;

/** The first filter of the Wire tab. Without it, a streaming agent's updates would hide everything else. */
export const firstWireFilter = 'kind:request,http';

const firstWireSort: WireSort = { by: 'time', direction: 'ascending' };
const firstTurnsSort: TurnSort = { by: 'bars', direction: 'ascending' };

/** Whether messages are listed as they crossed, so that new ones come in at the end. */
export function isWireOrder({ by, direction }: WireSort): boolean {
  return by === 'time' && direction === 'ascending';
}

/** Reads a state string, with defaults for what is missing or invalid. */
export function readState(text: string): PageState {
  const fields = new URLSearchParams(text.slice(0, maxState));
  const split = Number(fields.get('split'));
  return {
    run: fields.get('run') ?? '',
    tab: tabs.find((tab) => tab === fields.get('tab')) ?? 'log',
    q: (fields.get('q') ?? '').slice(0, maxFilter),
    wireQ: fields.get('wq')?.slice(0, maxFilter),
    wireSort: sortIn(fields.get('ws'), wireSortKeys) ?? firstWireSort,
    turnsQ: (fields.get('tq') ?? '').slice(0, maxFilter),
    turnsSort: sortIn(fields.get('ts'), turnSortKeys) ?? firstTurnsSort,
    seq: seqOf(fields.get('seq') ?? ''),
    isOpen: fields.get('open') === '1',
    top: seqOf(fields.get('top') ?? ''),
    follow: fields.get('follow') !== '0',
    seen: seqOf(fields.get('seen') ?? ''),
    split: split >= 0.2 && split <= 0.8 ? split : defaultSplit,
    marks: (fields.get('marks') ?? '').split(',').flatMap((mark) => seqOf(mark) ?? []),
  };
}

/** The state as one string of at most `maxState` characters: the newest bookmarks, as many as fit. */
export function printState(state: PageState): string {
  const { run, tab, q, wireQ, wireSort, turnsQ, turnsSort, seq, isOpen, top, follow, seen, split, marks } = state;
  const fields = new URLSearchParams({ run, tab, q: q.slice(0, maxFilter) });
  if (seq !== undefined) fields.set('seq', String(seq));
  if (isOpen) fields.set('open', '1');
  if (top !== undefined) fields.set('top', String(top));
  if (!follow) fields.set('follow', '0');
  if (seen !== undefined) fields.set('seen', String(seen));
  if (split !== defaultSplit) fields.set('split', split.toFixed(3));
  if (wireQ !== undefined) fields.set('wq', wireQ.slice(0, maxFilter));
  if (turnsQ !== '') fields.set('tq', turnsQ);
  if (printSort(wireSort) !== printSort(firstWireSort)) fields.set('ws', printSort(wireSort));
  if (printSort(turnsSort) !== printSort(firstTurnsSort)) fields.set('ts', printSort(turnsSort));
  let head = fields.toString();
  if (head.length > maxState) {
    fields.delete('wq');
    fields.delete('tq');
    head = fields.toString();
  }
  if (head.length > maxState) {
    fields.set('q', ''); // A filter of escaped characters can be three times as long.
    head = fields.toString();
  }
  let kept = marks;
  for (;;) {
    const text = kept.length === 0 ? head : `${head}&marks=${kept.join(',')}`;
    if (text.length <= maxState) return text;
    kept = kept.slice(Math.ceil(kept.length / 8));
  }
}

/** `took`, or `-took` if it is descending. */
function printSort({ by, direction }: Sort): string {
  return direction === 'descending' ? `-${by}` : by;
}

function sortIn<Key extends string>(text: string | null, keys: readonly Key[]): Sort<Key> | undefined {
  const by = keys.find((key) => key === text?.replace('-', ''));
  return by && { by, direction: text?.startsWith('-') === true ? 'descending' : 'ascending' };
}

function seqOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
