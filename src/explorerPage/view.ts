import type { CompletionItem, DataNode, RecordDetails, ResultMessage, RunInfo, Tab } from '../ui/explorer/messages';
import type { PageStrings } from '../ui/explorer/strings';
import type { PageState } from '../ui/explorer/pageState';
import { printState } from '../ui/explorer/pageState';
import type { Turns } from './turns/turnsPane';
import type { Wire } from './wire/wirePane';
import { firstWire } from './wire/wirePane';

/** The record that is selected, and where it is among the matches. */
export interface Selection {
  readonly seq: number;
  /** -1 while that isn't known, or if the filter hides it. */
  readonly index: number;
}

export interface Histogram {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Of each bucket eight counts, by level from `debug` on. */
  readonly counts: Uint32Array;
}

/** Members of a record's data that were asked for, by the path of their parent. */
export type DataPages = ReadonlyMap<string, readonly DataNode[]>;

/** Everything the page shows beside the rows. */
export interface View {
  readonly strings: PageStrings;
  readonly run: RunInfo;
  /** The filter as it is typed. */
  readonly q: string;
  readonly result: ResultMessage | undefined;
  /** Matches by level, 0 to 7; empty until they are counted. */
  readonly levelCounts: readonly number[];
  readonly histogram: Histogram | undefined;
  readonly selection: Selection | undefined;
  /** `null` while it is on its way. */
  readonly details: RecordDetails | null | undefined;
  /** The record that the details were asked for is no longer kept. */
  readonly isGone: boolean;
  readonly pages: DataPages;
  /** Whole strings and the raw line, by path; `raw` for the line. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly missing: number }>;
  readonly follow: boolean;
  /** Matches that came since the newest was in view. */
  readonly unseen: number;
  readonly marks: ReadonlySet<number>;
  /** The filter and the record to go back to from the context of a match. */
  readonly contextOf: { readonly q: string; readonly seq: number } | undefined;
  readonly completions: { readonly text: string; readonly items: readonly CompletionItem[] } | undefined;
  readonly split: number;
  readonly tab: Tab;
  readonly turns: Turns | undefined;
  readonly wire: Wire;
  readonly isHelpOpen: boolean;
  /** What a screen reader is to say. */
  readonly said: string;
}

/** The view of a page that has just been opened or restored. */
export function firstView({ strings, run, state }: FirstView): View {
  return {
    strings,
    run,
    q: state.q,
    result: undefined,
    levelCounts: [],
    histogram: undefined,
    selection: undefined,
    details: state.isOpen && state.seq !== undefined ? null : undefined,
    isGone: false,
    pages: new Map(),
    texts: new Map(),
    follow: state.follow && state.seq === undefined && !usesScreenReader(),
    unseen: 0,
    marks: new Set(state.marks),
    contextOf: undefined,
    completions: undefined,
    split: state.split,
    tab: state.tab,
    turns: undefined,
    wire: firstWire(state.wireQ),
    isHelpOpen: false,
    said: '',
  };
}

/** What is restored after a reload, as a string. */
export function stateOf({ run, tab, q, wire, selection, details, follow, split, marks }: View): string {
  return printState({
    run: run.id,
    tab,
    q,
    wireQ: wire.result ? wire.q : undefined,
    seq: selection?.seq || undefined,
    isOpen: details !== undefined,
    follow,
    split,
    marks: [...marks],
  });
}

/** Rows that move by themselves would be announced all the time. */
function usesScreenReader(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}

interface FirstView {
  readonly strings: PageStrings;
  readonly run: RunInfo;
  readonly state: PageState;
}
