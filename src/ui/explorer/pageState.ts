import type { Tab } from './messages';
import { maxFilter, maxState, tabs } from './messages';

/** The state that survives a reload: the run, and what the user was looking at. */
export interface PageState {
  readonly run: string;
  readonly tab: Tab;
  readonly q: string;
  /** The filter of the Wire tab; absent until it was opened. */
  readonly wireQ: string | undefined;
  readonly turnsQ: string;
  /** The selected record. */
  readonly seq: number | undefined;
  /** Whether its details are open. */
  readonly isOpen: boolean;
  /** The record at the top of the view, unless the newest are followed. */
  readonly top: number | undefined;
  readonly follow: boolean;
  /** Width of the details pane as a share of the window, from 0.2 to 0.8. */
  readonly split: number;
  /** Bookmarked records. */
  readonly marks: readonly number[];
}

export const defaultSplit = 0.38;

/** The first filter of the Wire tab. Without it, a streaming agent's updates would hide everything else. */
export const firstWireFilter = 'kind:request,http';

/** Reads a state string, with defaults for what is missing or invalid. */
export function readState(text: string): PageState {
  const fields = new URLSearchParams(text.slice(0, maxState));
  const split = Number(fields.get('split'));
  return {
    run: fields.get('run') ?? '',
    tab: tabs.find((tab) => tab === fields.get('tab')) ?? 'log',
    q: (fields.get('q') ?? '').slice(0, maxFilter),
    wireQ: fields.get('wq')?.slice(0, maxFilter),
    turnsQ: (fields.get('tq') ?? '').slice(0, maxFilter),
    seq: seqOf(fields.get('seq') ?? ''),
    isOpen: fields.get('open') === '1',
    top: seqOf(fields.get('top') ?? ''),
    follow: fields.get('follow') !== '0',
    split: split >= 0.2 && split <= 0.8 ? split : defaultSplit,
    marks: (fields.get('marks') ?? '').split(',').flatMap((mark) => seqOf(mark) ?? []),
  };
}

/** The state as one string of at most `maxState` characters: the newest bookmarks, as many as fit. */
export function printState({ run, tab, q, wireQ, turnsQ, seq, isOpen, top, follow, split, marks }: PageState): string {
  const fields = new URLSearchParams({ run, tab, q: q.slice(0, maxFilter) });
  if (seq !== undefined) fields.set('seq', String(seq));
  if (isOpen) fields.set('open', '1');
  if (top !== undefined) fields.set('top', String(top));
  if (!follow) fields.set('follow', '0');
  if (split !== defaultSplit) fields.set('split', split.toFixed(3));
  if (wireQ !== undefined) fields.set('wq', wireQ.slice(0, maxFilter));
  if (turnsQ !== '') fields.set('tq', turnsQ);
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

function seqOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
